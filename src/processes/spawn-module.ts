/** Spawns a Node process that runs one module, with extra pipes. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import { REPLIES_FD } from './descriptors.ts';
import type { ChildExit } from './errors.ts';
import { startTimer } from './timers.ts';

export interface SpawnOptions {
  /** The module that the child runs: .ts in the source tree, .js in the published package. */
  readonly entry: URL;
  /** The child's `process.argv`. Other users can read it, so it must not contain secrets. */
  readonly args?: readonly string[];
  /** Limit of the JavaScript heap. Default: that of Node. */
  readonly heapLimitMb?: number;
  /** Receives the child's output. Default: this process's stderr. */
  readonly log?: (text: string) => void;
}

export interface SpawnedModule {
  /** The parent's end of one of the extra pipes. */
  readonly pipe: (descriptor: number) => Socket;
  /** If the process then does not exit, `onExit` is called after a few seconds nevertheless. */
  readonly kill: () => void;
  /** Whether the process no longer exists. False after `onExit` if it is stuck. */
  readonly hasExited: () => boolean;
}

interface SpawnPlan {
  /** Number of pipes, starting at descriptor 3. */
  readonly pipes: number;
  /** Called once, asynchronously, when the child has exited, is stuck, or could not be started. */
  readonly onExit: (exit: ChildExit) => void;
}

/** Enough of stderr for V8's out-of-memory report. */
const TAIL_CHARACTERS = 16_384;
const OUT_OF_MEMORY = /heap out of memory|Reached heap limit/;

/**
 * A killed process exits much earlier, unless it waits for a disk: the kernel does not end a process
 * within certain system calls.
 */
const KILL_LIMIT_MS = 5_000;

const unknownExit: ChildExit = { exitCode: null, signal: null, outOfMemory: false };

let children = 0;

/** The number of child processes that run. */
export function childCount(): number {
  return children;
}

/** Returns undefined if the process could not be started; `onExit` then reports the cause. */
export function spawnModule(options: SpawnOptions, plan: SpawnPlan): SpawnedModule | undefined {
  const child = startProcess(options, plan);
  if (!child) return undefined;
  children += 1;
  child.once('exit', () => (children -= 1));
  const onExit = onlyOnce(plan.onExit);
  reportEnding(child, { onExit, stderrTail: forwardOutput(child, options.log) });
  unrefChild(child);
  let killed = false;
  return {
    pipe: (descriptor) => child.stdio[descriptor] as Socket,
    kill: () => {
      child.kill('SIGKILL');
      if (!killed) giveUpUnlessEnded(child, onExit);
      killed = true;
    },
    hasExited: () => hasExited(child),
  };
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function onlyOnce(onExit: SpawnPlan['onExit']): SpawnPlan['onExit'] {
  let isCalled = false;
  return (exit) => {
    if (isCalled) return;
    isCalled = true;
    onExit(exit);
  };
}

/** Nothing more can come from the pipes of a killed process. */
function giveUpUnlessEnded(child: ChildProcess, onExit: SpawnPlan['onExit']): void {
  const timer = startTimer(() => {
    onExit({ ...unknownExit, isStuck: true });
    for (const stream of child.stdio) stream?.destroy();
  }, KILL_LIMIT_MS);
  child.once('exit', () => clearTimeout(timer));
}

/** `detached` starts a new session, so that Ctrl-C in a terminal reaches only the parent. */
function startProcess(options: SpawnOptions, plan: SpawnPlan): ChildProcess | undefined {
  const fail = (spawnError: unknown): void => plan.onExit({ ...unknownExit, spawnError });
  try {
    const child = spawn(process.execPath, argumentsFor(options), {
      stdio: ['ignore', 'pipe', 'pipe', ...Array<'pipe'>(plan.pipes).fill('pipe')],
      detached: true,
      windowsHide: true,
    });
    if (child.pid !== undefined) return child;
    child.on('error', fail);
  } catch (error) {
    // Some failures, such as lack of memory, are thrown instead of emitted.
    setImmediate(fail, error);
  }
  return undefined;
}

function argumentsFor({ entry, heapLimitMb, args = [] }: SpawnOptions): string[] {
  return [
    ...(entry.pathname.endsWith('.ts') ? ['--disable-warning=ExperimentalWarning'] : []),
    // Saves a third of the memory under high allocation rates, at the same speed.
    '--max-semi-space-size=2',
    // The optimizing compiler takes 550 MB for the PostgreSQL parser, and more time than it saves.
    '--liftoff-only',
    ...(heapLimitMb === undefined ? [] : [`--max-old-space-size=${heapLimitMb}`]),
    fileURLToPath(entry),
    ...args,
  ];
}

/** The child must not keep the parent's event loop alive. Writing to an exited child is not an error. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) (stream as Socket | null)?.on('error', () => undefined).unref();
}

/** Forwards the output and returns a function that returns the tail of stderr. */
function forwardOutput(child: ChildProcess, log = logToStderr): () => string {
  let tail = '';
  child.stdout?.setEncoding('utf8').on('data', log);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARACTERS);
    log(text);
  });
  return () => tail;
}

function logToStderr(text: string): void {
  process.stderr.write(text);
}

interface EndingPlan {
  readonly onExit: (exit: ChildExit) => void;
  readonly stderrTail: () => string;
}

/** Calls `onExit` when the child has exited and stdout, stderr and replies are read. The job output may still be open. */
function reportEnding(child: ChildProcess, { onExit, stderrTail }: EndingPlan): void {
  let exit: ChildExit = unknownExit;
  let open = 1;
  const closeOne = (): void => {
    open--;
    if (open === 0) onExit({ ...exit, outOfMemory: OUT_OF_MEMORY.test(stderrTail()) });
  };
  for (const stream of [child.stdout, child.stderr, child.stdio[REPLIES_FD]]) {
    if (stream) open++;
    stream?.on('close', closeOne);
  }
  child.on('exit', (exitCode, signal) => {
    exit = { exitCode, signal, outOfMemory: false };
    closeOne();
  });
}
