import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  HostCrashError,
  HostError,
  HostTimeoutError,
  createHost,
} from '../../src/processes/host.ts';
import type { Host, HostOptions } from '../../src/processes/host.ts';

const entry = new URL('./fixtures/host.ts', import.meta.url);
const SHORT_WAIT_MS = 50;
const LONG_MS = 600_000;
/** A timeout for events that must happen, even on a busy machine. */
const waitOptions = { timeout: 20_000, interval: 10 };

let folder: string;
let printed: string;
const hosts: Host[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-test-'));
  printed = '';
});

afterEach(async () => {
  for (const host of hosts) host.kill(new Error('The test is over.'));
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  rmSync(folder, { recursive: true });
});

function open(options: Partial<HostOptions> = {}): Host {
  const log = (text: string): void => void (printed += text);
  const host = createHost({ entry, start: null, log, ...options });
  hosts.push(host);
  return host;
}

/** A file to which child processes append lines. It shows what a killed child did. */
function notes(): { file: string; lines: () => string[] } {
  const file = join(folder, 'notes');
  return {
    file,
    lines: () => readFileSync(file, { flag: 'a+', encoding: 'utf8' }).split('\n').slice(0, -1),
  };
}

async function pidOf(host: Host): Promise<number> {
  return (await host.call({ do: 'pid' })).meta as number;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isNoted(lines: () => string[], line: string): Promise<void> {
  await vi.waitUntil(() => lines().includes(line), waitOptions);
}

function patternOf(bytes: number): Buffer {
  const body = Buffer.alloc(bytes);
  for (let i = 0; i < bytes; i++) body[i] = (i * 7 + (i >> 8)) & 255;
  return body;
}

describe('calls', () => {
  test('return meta and body', async () => {
    const reply = await open().call({ do: 'echo', value: { ключ: [1, null, 'é'] }, bytes: 300 });
    expect(reply.meta).toEqual({ ключ: [1, null, 'é'] });
    expect(Buffer.from(reply.body).equals(patternOf(300))).toBe(true);
  });

  test('can return neither', async () => {
    expect(await open().call({ do: 'echo' })).toEqual({ meta: undefined, body: Buffer.alloc(0) });
  });

  test('reach the handler in order, each after the end of the previous one', async () => {
    const { file, lines } = notes();
    const host = open();
    const numbers = Array.from({ length: 200 }, (_, i) => i);
    const replies = await Promise.all(
      numbers.flatMap((value) => [
        host.call({ do: value % 10 ? 'echo' : 'later', value, ms: 1 }),
        host.call({ do: 'note', file, value }),
      ]),
    );
    expect(replies.filter((_, i) => i % 2 === 0).map(({ meta }) => meta)).toEqual(numbers);
    expect(lines()).toEqual(numbers.map(String));
  });

  test('of one host run in one child, which receives the start message first', async () => {
    const { file, lines } = notes();
    const host = open({ start: { secret: 'swordfish', file } });
    const pids = await Promise.all(Array.from({ length: 40 }, () => pidOf(host)));
    expect(new Set(pids).size).toBe(1);
    expect((await host.call({ do: 'started' })).meta).toMatchObject({ secret: 'swordfish' });
    expect(lines()).toEqual(['started']);
  });

  test('leave no trace in arguments or environment, and neither does the start message', async () => {
    const host = open({ start: 'swordfish' });
    const { meta } = await host.call({ do: 'environment', value: 'swordfish' });
    expect(JSON.stringify(meta)).not.toContain('swordfish');
  });

  test('transfer bodies of 50 MB and of every size around the limits of pipes', async () => {
    const host = open();
    for (const bytes of [50_000_000, 65_535, 65_536, 65_537, 208 * 1024, 300_001]) {
      const { body } = await host.call({ do: 'echo', bytes });
      expect(patternOf(bytes).equals(body)).toBe(true);
    }
  });

  test('transfer large messages one after the other', async () => {
    const host = open();
    const texts = [3_000_000, 10, 1_000_000, 70_000].map((length) => 'é'.repeat(length));
    const replies = await Promise.all(texts.map((value) => host.call({ do: 'echo', value })));
    expect(replies.map(({ meta }) => meta)).toEqual(texts);
  });

  test('whose message cannot be serialized as JSON are rejected, and no others', async () => {
    const host = open();
    await expect(host.call({ do: 'echo', value: 1n })).rejects.toThrow(TypeError);
    expect((await host.call({ do: 'echo', value: 1 })).meta).toBe(1);
  });

  test('are counted until they return', async () => {
    const host = open();
    expect([host.queued, host.busyMs, host.running]).toEqual([0, 0, false]);
    const calls = [host.call({ do: 'later', ms: SHORT_WAIT_MS }), host.call({ do: 'echo' })];
    expect(host.queued).toBe(2);
    expect(host.running).toBe(true);
    await vi.waitUntil(() => host.busyMs > 0, waitOptions);
    await Promise.all(calls);
    expect([host.queued, host.busyMs]).toEqual([0, 0]);
  });
});

describe('errors', () => {
  test('of the handler reject the call with their code and details', async () => {
    const host = open();
    const error = await host.call({ do: 'fail' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HostError);
    expect(error).toMatchObject({
      message: 'It cannot be.',
      code: 'no_such_thing',
      details: { table: 'users', big: '9007199254740993' },
      thrown: { name: 'RangeError', stack: expect.stringContaining('fixtures/host.ts') },
    });
  });

  test('leave the child running', async () => {
    const host = open();
    const pid = await pidOf(host);
    await expect(host.call({ do: 'failLater' })).rejects.toThrow('Not now.');
    expect(await pidOf(host)).toBe(pid);
  });
});

describe('a time limit', () => {
  test('ends a call in an endless loop; queued calls run in a new child', async () => {
    const { file, lines } = notes();
    const host = open();
    const pid = await pidOf(host);
    const loop = host.call({ do: 'loop' }, { limitMs: SHORT_WAIT_MS });
    const behind = [1, 2, 3].map((value) => host.call({ do: 'note', file, value }));
    await expect(loop).rejects.toThrow(HostTimeoutError);
    expect(isAlive(pid)).toBe(false);
    await Promise.all(behind);
    expect(lines()).toEqual(['1', '2', '3']);
    expect(await pidOf(host)).not.toBe(pid);
  });

  test('starts with the work, not with the wait', async () => {
    const host = open();
    const first = host.call({ do: 'loop', ms: 1_500 });
    const second = host.call({ do: 'echo', value: 'in time' }, { limitMs: 1_000 });
    await first;
    expect((await second).meta).toBe('in time');
  });

  test('does not include the start of the child', async () => {
    const { meta } = await open().call({ do: 'echo', value: 1 }, { limitMs: 1_000 });
    expect(meta).toBe(1);
  });

  test('can be infinite', async () => {
    const call = open().call({ do: 'later', value: 1, ms: SHORT_WAIT_MS }, { limitMs: Infinity });
    expect((await call).meta).toBe(1);
  });

  test('applies to each of the queued calls', async () => {
    const host = open();
    const calls = [1, 2, 3].map(() => host.call({ do: 'loop' }, { limitMs: SHORT_WAIT_MS }));
    const last = host.call({ do: 'echo', value: 'last' });
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect((await last).meta).toBe('last');
  });

  test('that was met accepts a reply that this process was too busy to read', async () => {
    const { file, lines } = notes();
    const host = open();
    const pid = await pidOf(host);
    const call = host.call({ do: 'echo', value: 'kept' }, { limitMs: SHORT_WAIT_MS });
    const next = host.call({ do: 'note', file, value: 'next' });
    await Promise.resolve();
    const limit = performance.now() + SHORT_WAIT_MS;
    const end = performance.now() + waitOptions.timeout;
    while (performance.now() < limit || (lines().length === 0 && performance.now() < end));
    expect((await call).meta).toBe('kept');
    await next;
    expect(await pidOf(host)).toBe(pid);
  });

  test('ends a start that hangs', async () => {
    const host = open({
      entry: new URL('./fixtures/hanging-host.ts', import.meta.url),
      startLimitMs: 500,
    });
    await expect(host.call({ do: 'echo' })).rejects.toThrow(HostTimeoutError);
  });
});

describe('a provisional reply', () => {
  test('is used after its deadline, even if the child is blocked', async () => {
    const host = open();
    const pid = await pidOf(host);
    const reply = host.call({ do: 'provisionalThenLoop', value: 'so far', ms: SHORT_WAIT_MS });
    const behind = pidOf(host);
    expect(await reply).toEqual({ meta: 'so far', body: patternOf(10) });
    expect(await behind).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  test('is used at the time limit, before its own deadline', async () => {
    const call = open().call(
      { do: 'provisionalThenLoop', value: 'so far', ms: LONG_MS },
      { limitMs: 500 },
    );
    expect((await call).meta).toBe('so far');
  });

  test('is replaced by a final reply in time, and the child keeps running', async () => {
    const host = open();
    const pid = await pidOf(host);
    const { meta } = await host.call({ do: 'provisional', value: 'so far', ms: LONG_MS });
    expect(meta).toBeUndefined();
    expect(await pidOf(host)).toBe(pid);
  });

  test('that arrives after the final one is not used for the next call', async () => {
    const host = open();
    await host.call({ do: 'provisionalTooLate', value: 'too late' });
    const { meta } = await host.call({ do: 'later', value: 'its own', ms: SHORT_WAIT_MS });
    expect(meta).toBe('its own');
  });

  test('is not used if the child exits', async () => {
    await expect(open().call({ do: 'provisionalThenExit', value: 'so far' })).rejects.toThrow(
      HostCrashError,
    );
  });
});

describe('a child that exits', () => {
  test('rejects the running call with its exit code; the others run in a new child', async () => {
    const { file, lines } = notes();
    const host = open();
    const exit = host.call({ do: 'exit' });
    const behind = [1, 2].map((value) => host.call({ do: 'note', file, value }));
    await expect(exit).rejects.toMatchObject({
      name: 'HostCrashError',
      exitCode: 3,
      outOfMemory: false,
    });
    await Promise.all(behind);
    expect(lines()).toEqual(['1', '2']);
  });

  test('because of an uncaught error writes the reason to the log', async () => {
    const host = open();
    await expect(host.call({ do: 'throwOutside' })).rejects.toMatchObject({ exitCode: 1 });
    expect(printed).toContain('Nobody catches this.');
  });

  test('because of a signal rejects with that signal', async () => {
    const host = open({ name: 'quick lane' });
    const pid = await pidOf(host);
    const loop = host.call({ do: 'loop' });
    process.kill(pid, 'SIGTERM');
    await expect(loop).rejects.toMatchObject({
      signal: 'SIGTERM',
      message: 'The quick lane was ended by SIGTERM.',
    });
  });

  test('at its heap limit rejects as out of memory, and the next call works', async () => {
    const host = open({ heapLimitMb: 32 });
    await expect(host.call({ do: 'fillHeap' })).rejects.toMatchObject({ outOfMemory: true });
    expect((await host.call({ do: 'echo', value: 'works' })).meta).toBe('works');
  });

  test('at each start is given up after three times', async () => {
    const { file, lines } = notes();
    const host = open({ start: { file, exit: '9' } });
    const calls = [host.call({ do: 'echo' }), host.call({ do: 'echo' })];
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { exitCode: 9 } });
    }
    expect(lines()).toEqual(['started', 'started', 'started']);
  });

  test.each(['/no/such/program', 'no\0name'])(
    'because %j cannot be started rejects the call',
    async (path) => {
      const { execPath } = process;
      const host = open();
      process.execPath = path;
      try {
        await expect(host.call({ do: 'echo' })).rejects.toThrow('could not be started');
      } finally {
        process.execPath = execPath;
      }
      expect((await host.call({ do: 'echo', value: 'works' })).meta).toBe('works');
    },
  );

  test('because its module does not exist rejects the call', async () => {
    const host = open({ entry: new URL('./fixtures/no-such-module.ts', import.meta.url) });
    await expect(host.call({ do: 'echo' })).rejects.toThrow(HostCrashError);
    expect(printed).toContain('no-such-module');
  });
});

describe('a start that fails', () => {
  test('rejects all waiting calls with its error, and the next call tries again', async () => {
    const { file, lines } = notes();
    const host = open({ start: { file, fail: 'The file is not there.' } });
    const calls = [host.call({ do: 'echo' }), host.call({ do: 'echo' })];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({
        reason: { name: 'HostError', message: 'The file is not there.', code: 'cannot_start' },
      });
    }
    await expect(host.call({ do: 'echo' })).rejects.toThrow(HostError);
    expect(lines()).toEqual(['started', 'started']);
  });
});

describe('an abort', () => {
  test('before the call prevents it', async () => {
    const host = open();
    const signal = AbortSignal.abort(new Error('Never mind.'));
    await expect(host.call({ do: 'echo' }, { signal })).rejects.toThrow('Never mind.');
    expect(host.running).toBe(false);
  });

  test('while the child starts removes the call', async () => {
    const { file, lines } = notes();
    const host = open();
    const stop = new AbortController();
    const call = host.call({ do: 'note', file, value: 'aborted' }, { signal: stop.signal });
    stop.abort(new Error('Never mind.'));
    await expect(call).rejects.toThrow('Never mind.');
    await host.call({ do: 'note', file, value: 'next' });
    expect(lines()).toEqual(['next']);
  });

  test('of a call that the child has not begun takes effect at once and keeps the child', async () => {
    const { file, lines } = notes();
    const host = open();
    const pid = await pidOf(host);
    const stop = new AbortController();
    const first = host.call({ do: 'noteAndLoop', file, value: 'loops' }, { limitMs: LONG_MS });
    const queued = host.call({ do: 'note', file, value: 'aborted' }, { signal: stop.signal });
    await isNoted(lines, 'loops');
    stop.abort(new Error('Never mind.'));
    await expect(queued).rejects.toThrow('Never mind.');
    expect(isAlive(pid)).toBe(true);
    expect(host.busyMs).toBeGreaterThan(0);
    host.kill(new Error('Enough.'));
    await expect(first).rejects.toThrow('Enough.');
  });

  test('of a queued call leaves the calls before and after it alone', async () => {
    const { file, lines } = notes();
    const host = open();
    const pid = await pidOf(host);
    const stop = new AbortController();
    const { signal } = stop;
    const first = host.call({ do: 'later', ms: 500 });
    const aborted = Array.from({ length: 50 }, () =>
      host.call({ do: 'note', file, value: 'no' }, { signal }),
    );
    const behind = host.call({ do: 'note', file, value: 'yes' });
    stop.abort(new Error('Never mind.'));
    const outcomes = await Promise.allSettled(aborted);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    await Promise.all([first, behind]);
    expect(lines()).toEqual(['yes']);
    expect(await pidOf(host)).toBe(pid);
  });

  test('of a running call kills the child; queued calls run in a new one', async () => {
    const { file, lines } = notes();
    const host = open();
    const pid = await pidOf(host);
    const stop = new AbortController();
    const call = host.call({ do: 'noteAndLoop', file, value: 'loops' }, { signal: stop.signal });
    const behind = host.call({ do: 'note', file, value: 'behind' });
    await isNoted(lines, 'loops');
    stop.abort(new Error('Never mind.'));
    await expect(call).rejects.toThrow('Never mind.');
    expect(isAlive(pid)).toBe(false);
    await behind;
    expect(lines()).toEqual(['loops', 'behind']);
  });

  test('of a queued call takes effect even if the child dies first', async () => {
    const { file, lines } = notes();
    const host = open();
    const pid = await pidOf(host);
    const stop = new AbortController();
    const first = host.call({ do: 'noteAndLoop', file, value: 'loops' });
    const queued = host.call({ do: 'note', file, value: 'aborted' }, { signal: stop.signal });
    const outcomes = Promise.allSettled([first, queued]);
    await isNoted(lines, 'loops');
    process.kill(pid, 'SIGKILL');
    stop.abort(new Error('Never mind.'));
    expect(await outcomes).toMatchObject([
      { reason: { name: 'HostCrashError' } },
      { reason: { message: 'Never mind.' } },
    ]);
    await pidOf(host);
    expect(lines()).toEqual(['loops']);
  });

  test('of a running call lets it finish unobserved on request', async () => {
    const { file, lines } = notes();
    const until = join(folder, 'until');
    const host = open();
    const pid = await pidOf(host);
    const stop = new AbortController();
    const options = { signal: stop.signal, killOnAbort: false };
    const call = host.call({ do: 'noteAndWait', file, value: 'waits', until }, options);
    await isNoted(lines, 'waits');
    stop.abort(new Error('Never mind.'));
    await expect(call).rejects.toThrow('Never mind.');
    writeFileSync(until, '');
    expect(await pidOf(host)).toBe(pid);
  });

  test('after the reply changes nothing', async () => {
    const host = open();
    const stop = new AbortController();
    const { meta: pid } = await host.call({ do: 'pid' }, { signal: stop.signal });
    stop.abort();
    expect(await pidOf(host)).toBe(pid);
  });
});

describe('the end', () => {
  test('comes after idle time, in order; the next call starts a new child', async () => {
    const { file, lines } = notes();
    const host = open({ start: { endFile: file }, idleMs: SHORT_WAIT_MS });
    const pid = await pidOf(host);
    await isNoted(lines, 'ended');
    await vi.waitUntil(() => !host.running, waitOptions);
    expect(await pidOf(host)).not.toBe(pid);
  });

  test('by close waits for earlier calls, and rejects later ones', async () => {
    const { file, lines } = notes();
    const host = open({ start: { endFile: file } });
    const pid = await pidOf(host);
    const last = host.call({ do: 'later', ms: SHORT_WAIT_MS, value: 'last' });
    const closed = host.close();
    await expect(host.call({ do: 'echo' })).rejects.toThrow('closed');
    expect((await last).meta).toBe('last');
    await closed;
    expect(lines()).toEqual(['ended']);
    expect(isAlive(pid)).toBe(false);
    await host.close();
  });

  test('by close works without a child', async () => {
    const host = open();
    await host.close();
    expect(host.running).toBe(false);
  });

  test('by kill rejects running and queued calls; the host stays usable', async () => {
    const host = open();
    const pid = await pidOf(host);
    const calls = [host.call({ do: 'loop' }), host.call({ do: 'echo' })];
    host.kill(new Error('Enough.'));
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'Enough.' } });
    }
    expect(await pidOf(host)).not.toBe(pid);
  });
});

describe('the parent', () => {
  const script = fileURLToPath(new URL('./fixtures/parent.ts', import.meta.url));
  let parent: ChildProcessByStdio<null, Readable, null>;

  afterEach(() => void parent.kill('SIGKILL'));

  function startParent(...actions: string[]): void {
    parent = spawn(process.execPath, [script, ...actions], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  test('that is killed ends its child, even out of an endless loop', async () => {
    startParent('loop');
    const [pid] = (await once(createInterface(parent.stdout), 'line')) as [string];
    expect(isAlive(Number(pid))).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitUntil(() => !isAlive(Number(pid)), waitOptions);
  });

  test('ends when its calls have returned, and ends its idle child', async () => {
    startParent();
    const [pid] = (await once(createInterface(parent.stdout), 'line')) as [string];
    if (parent.exitCode === null) await once(parent, 'exit');
    expect(parent.exitCode).toBe(0);
    await vi.waitUntil(() => !isAlive(Number(pid)), waitOptions);
  });
});
