/** For those who write an adapter, or test code that uses one. Needs no test runner. */
export type { Adapter, FileEdit, FileWrite, FileWriteResult, ReadResult, WriteTarget } from '../adapters/adapter.js';
export { adapterConformance } from './conformance.js';
export { filesIn } from './folder.js';
export { resultWithPoses } from './results.js';
export type { ConformanceCheck, FileSample, FileSubject, LiveSample, LiveSubject, NamedPairs } from './subject.js';
