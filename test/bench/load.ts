/** The benches are plain JavaScript without types, so a test says what it expects of a module of `bench/`. */
import type { Mesh, Scene, Shape } from '../../src/core/scene.js';

export async function loadBench<T>(file: string): Promise<T> {
  return (await import(`../../bench/${file}`)) as T;
}

export interface Template {
  readonly name: string;
  readonly shape: Extract<Shape, { type: 'mesh' }>;
  readonly volume: number;
}

export interface PoolModule {
  readonly POOLS: readonly string[];
  loadPool(name: string, folder?: string): readonly Template[];
}

export interface MeshModule {
  openEdges(mesh: Mesh): number;
  volumeOf(mesh: Mesh): number;
  weld(mesh: Mesh): Mesh;
  boundsOf(mesh: Mesh, rotation?: readonly number[][]): { low: number[]; high: number[] };
}

export type Recipe = { readonly spawn: string; readonly multiplier?: number; readonly phi?: number };

export interface SpawnModule {
  readonly TIGHT: number;
  buildScene(pool: readonly Template[], recipe: Recipe, n: number, seed: number): Scene;
  matrixOf(angles: readonly number[]): number[][];
  quaternionOf(angles: readonly number[]): [number, number, number, number];
}
