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
  /** What the child finds in `process.argv`: nothing that is secret. */
  readonly args?: readonly string[];
  /** Limit of the JavaScript heap; without it, Node's own. */
  readonly heapLimitMb?: number;
  /** Gets what the child prints. Without it, that goes to this process's stderr. */
  readonly log?: (text: string) => void;
}

export interface SpawnedModule {
  /** The parent's end of one of the extra pipes. */
  readonly pipe: (descriptor: number) => Socket;
  readonly kill: () => void;
}

interface SpawnPlan {
  /** Pipes from descriptor 3 on. */
  readonly pipes: number;
  /** Called once, and never at once: the child is dead, or could not be started. */
  readonly onGone: (ending: Ending) => void;
}

/** Enough of stderr to hold V8's last words. */
const KEPT_CHARACTERS = 16_384;
const OUT_OF_MEMORY = /heap out of memory|Reached heap limit/;

const unknownEnding: Ending = { exitCode: null, signal: null, outOfMemory: false };

/** Undefined when it could not be started: the ending, which is on its way, says why. */
export function spawnModule(options: SpawnOptions, plan: SpawnPlan): SpawnedModule | undefined {
  const child = startProcess(options, plan);
  if (!child) return undefined;
  reportEnding(child, { onGone: plan.onGone, lastWords: forwardOutput(child, options.log) });
  letLive(child);
  return {
    pipe: (descriptor) => child.stdio[descriptor] as Socket,
    kill: () => void child.kill('SIGKILL'),
  };
}

/** In a session of its own, so that Ctrl-C in a terminal is left to the parent. */
function startProcess(options: SpawnOptions, plan: SpawnPlan): ChildProcess | undefined {
  const fail = (spawnError: unknown): void => plan.onGone({ ...unknownEnding, spawnError });
  try {
    const child = spawn(process.execPath, argumentsFor(options), {
      stdio: ['ignore', 'pipe', 'pipe', ...Array<'pipe'>(plan.pipes).fill('pipe')],
      detached: true,
      windowsHide: true,
    });
    if (child.pid !== undefined) return child;
    child.on('error', fail);
  } catch (error) {
    // Some failures are thrown instead: no memory is one.
    setImmediate(fail, error);
  }
  return undefined;
}

function argumentsFor({ entry, heapLimitMb, args = [] }: SpawnOptions): string[] {
  return [
    ...(entry.pathname.endsWith('.ts') ? ['--disable-warning=ExperimentalWarning'] : []),
    // A third less memory where much is made and thrown away, at the same speed.
    '--max-semi-space-size=2',
    ...(heapLimitMb === undefined ? [] : [`--max-old-space-size=${heapLimitMb}`]),
    fileURLToPath(entry),
    ...args,
  ];
}

/** It does not keep the parent alive, and writing to it when it has just died is no error. */
function letLive(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) (stream as Socket | null)?.on('error', () => undefined).unref();
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
