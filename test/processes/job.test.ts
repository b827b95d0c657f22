import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { afterEach, describe, expect, test, vi } from 'vitest';

import {
  HostCrashError,
  HostError,
  HostTimeoutError,
  createJobs,
} from '../../src/processes/job.ts';
import type { Job, JobOptions, Jobs, JobsOptions } from '../../src/processes/job.ts';

const entry = new URL('./fixtures/job.ts', import.meta.url);
const CHUNK_BYTES = 64 * 1024;
const MANY_CHUNKS = 400;
/** More than pipes and streams buffer, and far less than everything. */
const MAX_IN_FLIGHT_BYTES = 2 * 1024 * 1024;
const SHORT_WAIT_MS = 50;
const waitOptions = { timeout: 20_000, interval: 10 };

const opened: Jobs[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
});

function open(options: Partial<JobsOptions> = {}): Jobs {
  const jobs = createJobs({ entry, spare: false, log: () => undefined, ...options });
  opened.push(jobs);
  return jobs;
}

async function resultOf(jobs: Jobs, command: unknown, options: JobOptions = {}): Promise<unknown> {
  return (await jobs.run(command, options)).result;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starts a job that runs until it is killed. Returns it with the process id of its child. */
async function startLoop(
  jobs: Jobs,
  options: JobOptions = {},
): Promise<{ job: Promise<Job>; pid: number }> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const onProgress = (pid: unknown): void => resolve(pid as number);
  const job = jobs.run({ do: 'pidThenLoop' }, { ...options, onProgress });
  job.catch(() => undefined);
  return { job, pid: await promise };
}

describe('a job', () => {
  test('returns a result', async () => {
    expect(await resultOf(open(), { do: 'echo', value: { rows: 3 } })).toEqual({ rows: 3 });
    expect(await resultOf(open(), { do: 'echo' })).toBeUndefined();
  });

  test('turns input into output', async () => {
    const input = Readable.from(['one ', 'two ', 'three']);
    const { output, result } = await open().run({ do: 'upperCase' }, { input });
    expect(await text(output)).toBe('ONE TWO THREE');
    expect(await result).toBeUndefined();
  });

  test('without input reads an empty input', async () => {
    expect(await resultOf(open(), { do: 'countInput' })).toEqual({ read: 0 });
  });

  test('can leave input unread', async () => {
    const input = Readable.from(Array.from({ length: 1000 }, () => Buffer.alloc(CHUNK_BYTES)));
    expect(await resultOf(open(), { do: 'readOnce' }, { input })).toBe('enough');
    expect(input.readableEnded).toBe(false);
    expect(input.destroyed).toBe(false);
  });

  test('runs in a child of its own, in parallel with others', async () => {
    const jobs = open();
    const pids = await Promise.all([1, 2, 3].map(() => resultOf(jobs, { do: 'pid' })));
    expect(new Set(pids).size).toBe(3);
  });

  test('receives its order without a trace in arguments or environment', async () => {
    const found = await resultOf(open(), { do: 'environment', value: 'swordfish' });
    expect(JSON.stringify(found)).not.toContain('swordfish');
  });

  test('delivers its whole output even if it is read after the child has exited', async () => {
    const job = await open().run({ do: 'writeChunks', chunks: 2 });
    await job.result;
    await sleep(SHORT_WAIT_MS);
    expect((await buffer(job.output)).length).toBe(2 * CHUNK_BYTES);
  });
});

describe('large amounts of data', () => {
  test('in the output wait for a slow reader', async () => {
    let written = 0;
    let received = 0;
    let maxInFlight = 0;
    const onProgress = (message: unknown): void => {
      written = (message as { written: number }).written;
      maxInFlight = Math.max(maxInFlight, written - received);
    };
    const { output } = await open().run({ do: 'writeChunks', chunks: MANY_CHUNKS }, { onProgress });
    for await (const chunk of output) {
      received += (chunk as Buffer).length;
      await sleep(1);
    }
    expect(received).toBe(MANY_CHUNKS * CHUNK_BYTES);
    expect(maxInFlight).toBeLessThan(MAX_IN_FLIGHT_BYTES);
  });

  test('in the input wait for a slow job', async () => {
    let produced = 0;
    let maxInFlight = 0;
    function* produce(): Generator<Buffer> {
      for (; produced < MANY_CHUNKS * CHUNK_BYTES; produced += CHUNK_BYTES)
        yield Buffer.alloc(CHUNK_BYTES);
    }
    const onProgress = (message: unknown): void => {
      maxInFlight = Math.max(maxInFlight, produced - (message as { read: number }).read);
    };
    const input = Readable.from(produce(), { highWaterMark: 1 });
    const result = await resultOf(open(), { do: 'countInput' }, { input, onProgress });
    expect(result).toEqual({ read: MANY_CHUNKS * CHUNK_BYTES });
    expect(maxInFlight).toBeLessThan(MAX_IN_FLIGHT_BYTES);
  });
});

describe('a job that fails', () => {
  test('before its first output rejects the run', async () => {
    const run = open().run({ do: 'writeThenFail' });
    await expect(run).rejects.toThrow(HostError);
    await expect(run).rejects.toMatchObject({ code: 'invalid_value', details: { row: 7 } });
  });

  test('later rejects the result, and its output ends with an error', async () => {
    const { output, result } = await open().run({ do: 'writeThenFail', chunks: 20 });
    await expect(buffer(output)).rejects.toThrow('Row 7 is broken.');
    await expect(result).rejects.toThrow('Row 7 is broken.');
  });

  test('by a crash does the same', async () => {
    const { output, result } = await open().run({ do: 'writeThenExit', chunks: 20 });
    await expect(buffer(output)).rejects.toThrow(HostCrashError);
    await expect(result).rejects.toMatchObject({ exitCode: 5 });
  });

  test('at its heap limit is out of memory', async () => {
    const jobs = open({ heapLimitMb: 32, name: 'import' });
    await expect(jobs.run({ do: 'fillHeap' })).rejects.toMatchObject({
      outOfMemory: true,
      message: 'The import ran out of memory.',
    });
  });

  test('because its module does not exist rejects the run', async () => {
    const jobs = open({ entry: new URL('./fixtures/no-such-module.ts', import.meta.url) });
    await expect(jobs.run({ do: 'echo' })).rejects.toThrow(HostCrashError);
  });
});

describe('a job is killed', () => {
  test('by its signal', async () => {
    const stop = new AbortController();
    const { job, pid } = await startLoop(open(), { signal: stop.signal });
    stop.abort(new Error('Never mind.'));
    await expect(job).rejects.toThrow('Never mind.');
    expect(isAlive(pid)).toBe(false);
  });

  test('by its time limit', async () => {
    const run = open().run({ do: 'pidThenLoop' }, { limitMs: SHORT_WAIT_MS });
    await expect(run).rejects.toThrow(HostTimeoutError);
  });

  test('when the reader of its output goes away', async () => {
    const { output, result } = await open().run({ do: 'writeChunks', chunks: MANY_CHUNKS });
    output.destroy();
    await expect(result).rejects.toThrow('killed');
  });

  test('when its input is truncated', async () => {
    const input = new Readable({ read: () => undefined });
    const run = open().run({ do: 'countInput' }, { input });
    input.push('the first half');
    await sleep(SHORT_WAIT_MS);
    input.destroy(new Error('The client went away.'));
    await expect(run).rejects.toThrow('The client went away.');
  });

  test('when its input was truncated before', async () => {
    const input = new Readable({ read: () => undefined });
    input.destroy();
    await once(input, 'close');
    await expect(open().run({ do: 'countInput' }, { input })).rejects.toThrow('truncated');
  });

  test('by its kill method', async () => {
    const job = await open().run({ do: 'writeChunks', chunks: MANY_CHUNKS });
    job.kill(new Error('Enough.'));
    await expect(job.result).rejects.toThrow('Enough.');
    await expect(buffer(job.output)).rejects.toThrow('Enough.');
  });

  test('when all jobs are closed', async () => {
    const jobs = open();
    const { job, pid } = await startLoop(jobs);
    await jobs.close();
    await expect(job).rejects.toThrow('killed');
    expect(isAlive(pid)).toBe(false);
    await expect(jobs.run({ do: 'echo' })).rejects.toThrow('The child process is closed');
  });

  test('after its reply if its process does not exit', async () => {
    const jobs = open();
    const pid = (await resultOf(jobs, { do: 'hangAtExit' })) as number;
    await jobs.close();
    expect(isAlive(pid)).toBe(false);
  });

  test('but does not start if its signal is already aborted', async () => {
    const signal = AbortSignal.abort(new Error('Never mind.'));
    await expect(open().run({ do: 'echo' }, { signal })).rejects.toThrow('Never mind.');
  });
});

describe('a spare child', () => {
  test('serves the next job, and only one', async () => {
    const jobs = open({ spare: true });
    const pids = [];
    for (let i = 0; i < 4; i++) pids.push(await resultOf(jobs, { do: 'pid' }));
    expect(new Set(pids).size).toBe(4);
  });

  test('prepares itself while it waits', async () => {
    const jobs = open({ spare: true });
    for (let waitMs = 100; !(await resultOf(jobs, { do: 'isPrepared' })); waitMs *= 2)
      await sleep(waitMs);
  });

  test('that has died in the meantime is not used', async () => {
    const jobs = open({ spare: true, idleMs: 1 });
    for (let i = 0; i < 3; i++) {
      expect(await resultOf(jobs, { do: 'echo', value: i })).toBe(i);
      await sleep(SHORT_WAIT_MS);
    }
  });
});

describe('the parent', () => {
  const script = fileURLToPath(new URL('./fixtures/job-parent.ts', import.meta.url));
  let parent: ChildProcessByStdio<null, Readable, null>;

  afterEach(() => void parent.kill('SIGKILL'));

  function startParent(...actions: string[]): void {
    parent = spawn(process.execPath, [script, ...actions], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  test('that is killed ends its jobs', async () => {
    startParent('loop');
    const [pid] = (await once(createInterface(parent.stdout), 'line')) as [string];
    parent.kill('SIGKILL');
    await vi.waitUntil(() => !isAlive(Number(pid)), waitOptions);
  });

  test('does not exit before it has read all the output of a finished job', async () => {
    startParent();
    expect((await buffer(parent.stdout)).length).toBe(2 * CHUNK_BYTES);
  });
});
