/**
 * A process that waits for a disk may outlive SIGKILL. Here it is stopped instead, which the studio
 * cannot distinguish.
 */
import { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HostStuckError, HostTimeoutError } from '../../src/processes/errors.ts';
import { createHost } from '../../src/processes/host.ts';
import { createJobs } from '../../src/processes/job.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { makeFile } from '../databases/sqlite/fixture.ts';

const hostEntry = new URL('./fixtures/host.ts', import.meta.url);
const jobEntry = new URL('./fixtures/job.ts', import.meta.url);
const timeout = 120_000;
const waitOptions = { timeout: 20_000, interval: 10 };
const shortMs = 200;

/** From now on, processes survive being killed. Returns how to end those that should have ended. */
function surviveKills(): () => void {
  const pids = new Set<number>();
  const spy = vi.spyOn(ChildProcess.prototype, 'kill').mockImplementation(function kill(
    this: ChildProcess,
  ) {
    const { pid } = this;
    if (pid === undefined || this.exitCode !== null || this.signalCode !== null) return false;
    pids.add(pid);
    return process.kill(pid, 'SIGSTOP');
  });
  const end = (): void => {
    spy.mockRestore();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    pids.clear();
  };
  onTestFinished(end);
  return end;
}

describe('a host whose child does not end', () => {
  test('rejects its calls, starts no second child until it has ended', { timeout }, async () => {
    const host = createHost({ entry: hostEntry, start: null, log: () => undefined });
    const { meta: pid } = await host.call({ do: 'pid' });
    const end = surviveKills();
    const running = host.call({ do: 'loop' }, { limitMs: shortMs });
    const waiting = host.call({ do: 'echo', value: 1 });
    const failures = await Promise.allSettled([running, waiting]);
    expect(failures.map(reasonOf)).toEqual([new HostStuckError(true), new HostStuckError(false)]);
    await expect(host.call({ do: 'pid' })).rejects.toEqual(new HostStuckError(false));
    expect([host.running, host.queued]).toEqual([false, 0]);
    end();
    const next = await vi.waitFor(() => host.call({ do: 'pid' }), waitOptions);
    expect(next.meta).not.toBe(pid);
    await host.close();
  });

  test('closes nevertheless', { timeout }, async () => {
    const host = createHost({ entry: hostEntry, start: null, log: () => undefined });
    await host.call({ do: 'pid' });
    surviveKills();
    const running = host.call({ do: 'loop' }, { limitMs: shortMs });
    const [call] = await Promise.allSettled([running, host.close()]);
    expect(reasonOf(call)).toEqual(new HostStuckError(true));
  });
});

describe('jobs whose processes do not end', () => {
  test('are rejected, and no more than four remain', { timeout }, async () => {
    const jobs = createJobs({ entry: jobEntry, spare: false, log: () => undefined });
    const end = surviveKills();
    const loop = (): Promise<unknown> => jobs.run({ do: 'pidThenLoop' }, { limitMs: shortMs });
    const failures = await Promise.allSettled([loop(), loop(), loop(), loop()]);
    expect(failures.map(reasonOf)).toEqual(failures.map(() => new HostStuckError(true)));
    await expect(loop()).rejects.toEqual(new HostStuckError(false));
    end();
    await vi.waitFor(() => expect(loop()).rejects.toThrow(HostTimeoutError), waitOptions);
    await jobs.close();
  });

  test('do not delay the end of the studio', { timeout }, async () => {
    const jobs = createJobs({ entry: jobEntry, spare: false, log: () => undefined });
    surviveKills();
    const loop = jobs.run({ do: 'pidThenLoop' });
    const [failure] = await Promise.allSettled([loop, jobs.close()]);
    expect(failure.status).toBe('rejected');
  });
});

test.skipIf(process.platform !== 'linux')(
  'a write whose process does not end is an error that says so; reads go on',
  { timeout },
  async () => {
    const path = makeFile('CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)');
    const studio = await createStudio({ url: path, statementTimeoutMs: 1000 });
    onTestFinished(() => studio.close());
    const run = async (text: string): Promise<unknown> => {
      const input = { body: JSON.stringify({ query: text }) };
      return JSON.parse(String((await studio.perform('run-sql', input)).body));
    };
    const insert = (id: number): Promise<unknown> => run(`INSERT INTO t VALUES (${id})`);
    await insert(2);
    const end = surviveKills();
    for (const pid of writers(path)) process.kill(pid, 'SIGSTOP');
    await expect(insert(3)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(
        /disk .* does not respond\. The request was given up/,
      ) as string,
    });
    await expect(insert(4)).rejects.toThrow('The request was not begun.');
    expect(await run('SELECT id FROM t')).toMatchObject({ rows: [{ id: 1 }, { id: 2 }] });
    end();
    await vi.waitFor(() => insert(5), waitOptions);
    expect(await run('SELECT id FROM t')).toMatchObject({
      rows: [{ id: 1 }, { id: 2 }, { id: 5 }],
    });
  },
);

function reasonOf(outcome: PromiseSettledResult<unknown>): unknown {
  return outcome.status === 'rejected' ? outcome.reason : undefined;
}

/** The children of this process that have the file open for writing. */
function writers(path: string): readonly number[] {
  const ids = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const writes = (id: string): boolean =>
    readdirSync(`/proc/${id}/fd`).some(
      (fd) =>
        readlinkSync(`/proc/${id}/fd/${fd}`) === path &&
        // The last digit of the flags, which are octal, is the access mode.
        /^flags:\s+\d*[12]$/m.test(readFileSync(`/proc/${id}/fdinfo/${fd}`, 'utf8')),
    );
  return ids.filter(writes).map(Number);
}
