import { setFlagsFromString } from 'node:v8';

/**
 * Turns off the optimizing compiler of WebAssembly in this process. For the PostgreSQL parser it takes 550 MB
 * for some seconds, and more time than it saves. Child processes get `--liftoff-only` instead, which has no
 * effect on a process that runs. Both flags are needed, before the parser is loaded.
 */
export function limitCompiler(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}
