export { read } from './read.js';
