/** A Node process that runs one module, with pipes beyond the usual three. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import { REPLIES_FD } from './descriptors.ts';
import type { Ending } from './errors.ts';

export interface SpawnOptions {
  /** The module that the child runs: .ts from the sources, .js when published. */
  readonly entry: URL;
  /** Limit of the JavaScript heap; without it, Node's own. */
  readonly heapLimitMb?: number;
  /** Gets what the child prints. Without it, that goes to this process's stderr. */
  readonly log?: (text: string) => void;
}

export interface SpawnedModule {
  /** Undefined when it could not be started; `onGone` says why. */
  readonly pid: number | undefined;
  /** The parent's end of one of the extra pipes; there is none without a pid. */
  pipe(descriptor: number): Socket;
  kill(): void;
}

interface SpawnPlan {
  /** Pipes from descriptor 3 on. */
  readonly pipes: number;
  /** Called once: the child is dead and all that it wrote has been read. */
  readonly onGone: (ending: Ending) => void;
}

/** Enough of stderr to hold V8's last words. */
const KEPT_CHARACTERS = 16_384;
const OUT_OF_MEMORY = /heap out of memory|Reached heap limit/;

/**
 * Starts the child in a session of its own, so that Ctrl-C in a terminal is left to the parent.
 * Nothing of the child keeps the parent alive.
 */
export function spawnModule(options: SpawnOptions, { pipes, onGone }: SpawnPlan): SpawnedModule {
  const child = spawn(process.execPath, argumentsFor(options), {
    stdio: ['ignore', 'pipe', 'pipe', ...Array<'pipe'>(pipes).fill('pipe')],
    detached: true,
    windowsHide: true,
  });
  reportEnding(child, { onGone, lastWords: forwardOutput(child, options.log) });
  letLive(child);
  return {
    pid: child.pid,
    pipe: (descriptor) => child.stdio[descriptor] as Socket,
    kill: () => void child.kill('SIGKILL'),
  };
}

function argumentsFor({ entry, heapLimitMb }: SpawnOptions): string[] {
  return [
    ...(entry.pathname.endsWith('.ts') ? ['--disable-warning=ExperimentalWarning'] : []),
    ...(heapLimitMb === undefined ? [] : [`--max-old-space-size=${heapLimitMb}`]),
    fileURLToPath(entry),
  ];
}

/** It does not keep the parent alive, and writing to it when it has just died is no error. */
function letLive(child: ChildProcess): void {
  child.unref();
  // There are no pipes when the process has run out of descriptors.
  for (const stream of child.stdio ?? []) {
    (stream as Socket | null)?.on('error', () => undefined).unref();
  }
}

/** Returns a look at the end of what the child wrote to stderr. */
function forwardOutput(child: ChildProcess, log = logToStderr): () => string {
  let kept = '';
  child.stdout?.setEncoding('utf8').on('data', log);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    kept = (kept + text).slice(-KEPT_CHARACTERS);
    log(text);
  });
  return () => kept;
}

function logToStderr(text: string): void {
  process.stderr.write(text);
}

interface EndingPlan {
  readonly onGone: (ending: Ending) => void;
  readonly lastWords: () => string;
}

/** Gone is a child that is dead and whose words have all been read; its bulk output may wait. */
function reportEnding(child: ChildProcess, { onGone, lastWords }: EndingPlan): void {
  if (child.pid === undefined) {
    child.on('error', (spawnError) => onGone({ ...unknownEnding, spawnError }));
    return;
  }
  let ending: Ending = unknownEnding;
  let open = 1;
  const closeOne = (): void => {
    open--;
    if (open === 0) onGone({ ...ending, outOfMemory: OUT_OF_MEMORY.test(lastWords()) });
  };
  for (const stream of [child.stdout, child.stderr, child.stdio[REPLIES_FD]]) {
    if (stream) open++;
    stream?.on('close', closeOne);
  }
  child.on('exit', (exitCode, signal) => {
    ending = { exitCode, signal, outOfMemory: false };
    closeOne();
  });
}

const unknownEnding: Ending = { exitCode: null, signal: null, outOfMemory: false };
