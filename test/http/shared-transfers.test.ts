import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, asyncProperty, integer } from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';

import { createSharedTransfers } from '../../src/http/shared-transfers.ts';
import { createTransfers } from '../../src/http/tracked-transfers.ts';
import { pickOne, seededRandom } from '../databases/altered-ddl/expand.ts';
import type { RandomBelow } from '../databases/altered-ddl/expand.ts';
import type { PublishedTransfer } from '../../src/http/shared-transfers.ts';
import type { TrackedTransfer, Transfers } from '../../src/http/tracked-transfers.ts';
import type { TransferEnd, TransferState } from '../../src/http/transfer-state.ts';

const parent = mkdtempSync(join(tmpdir(), 'studio-transfers-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const intervals = { beat: 20, silence: 20_000, retention: 60_000, sweep: 3_600_000 };

function copyWith(folder: string, options: Partial<typeof intervals> = {}) {
  const failures: unknown[] = [];
  const shared = createSharedTransfers({
    folder,
    onFailure: (error) => failures.push(error),
    intervals: { ...intervals, ...options },
  });
  return { failures, shared, transfers: createTransfers(shared) };
}

/** On a busy machine, a record can be late. */
function waitFor(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}

function folderOf(name: string): string {
  return join(parent, name);
}

function progress(rows: number, table = 'users') {
  return { rows, bytes: rows * 10, table, total_bytes: 0 };
}

describe('a download of another copy', () => {
  test('has the same progress and the same end on each copy', async () => {
    const [sender, other] = [copyWith(folderOf('progress')), copyWith(folderOf('progress'))];
    const download = sender.transfers.track('one');
    download.setProgress({ ...progress(3), waiting: 2 });
    await waitFor(async () =>
      expect(await other.transfers.find('one')).toMatchObject({
        state: 'running',
        rows: 3,
        waiting: 2,
      }),
    );
    download.sent(40);
    download.end('done', { rows: 4 });
    await waitFor(async () =>
      expect(await other.transfers.find('one')).toEqual(await sender.transfers.find('one')),
    );
    expect(await other.transfers.find('one')).toMatchObject({
      state: 'done',
      rows: 4,
      sent_bytes: 40,
    });
    expect([...sender.failures, ...other.failures]).toEqual([]);
  });

  test('is unknown under another name, and cannot be canceled after its end', async () => {
    const [sender, other] = [copyWith(folderOf('names')), copyWith(folderOf('names'))];
    const download = sender.transfers.track('one');
    download.end('done');
    await waitFor(async () => expect((await other.transfers.find('one')).state).toBe('done'));
    expect((await other.transfers.find('two')).state).toBe('waiting');
    await expect(other.transfers.cancel('one')).rejects.toMatchObject({ code: 'not_found' });
    await expect(other.transfers.cancel('two')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('fails when its copy writes no more records', async () => {
    const folder = folderOf('killed');
    const other = copyWith(folder, { silence: 400 });
    const killed: PublishedTransfer = {
      state: () => ({ state: 'running', rows: 7, bytes: 70, sent_bytes: 70 }),
      cancel: () => {},
      ended: Promise.resolve(),
    };
    // It writes its first record, and the next one long after this test.
    const neverEnds = { ...killed, ended: new Promise<void>(() => {}) };
    copyWith(folder, { beat: 3_600_000 }).shared.publish('one', neverEnds);
    await waitFor(async () => expect((await other.transfers.find('one')).state).toBe('running'));
    await waitFor(async () => expect((await other.transfers.find('one')).state).toBe('failed'));
    expect(await other.transfers.find('one')).toMatchObject({
      rows: 7,
      error:
        'The copy of the studio that sent the file has ended, or cannot write the state folder.',
    });
    await expect(other.transfers.cancel('one')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('belongs to the copy that last used its name', async () => {
    const folder = folderOf('reused');
    const [first, second, other] = [copyWith(folder), copyWith(folder), copyWith(folder)];
    first.transfers.track('one').setProgress(progress(1));
    await waitFor(async () => expect((await other.transfers.find('one')).rows).toBe(1));
    second.transfers.track('one').setProgress(progress(2));
    await waitFor(async () => expect((await other.transfers.find('one')).rows).toBe(2));
    await new Promise((resolve) => setTimeout(resolve, 5 * intervals.beat));
    expect((await other.transfers.find('one')).rows).toBe(2);
  });
});

test('a folder that cannot be written is reported once, and the copy itself knows its downloads', async () => {
  const file = join(parent, 'a-file');
  writeFileSync(file, '');
  const { transfers, failures } = copyWith(join(file, 'folder'));
  const download = transfers.track('one');
  download.setProgress(progress(1));
  await waitFor(() => expect(failures).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 5 * intervals.beat));
  expect(failures).toHaveLength(1);
  expect((await transfers.find('one')).rows).toBe(1);
  download.end('done');
});

test('records of downloads that have ended, and those of killed copies, are removed', async () => {
  const folder = folderOf('removed');
  const { transfers } = copyWith(folder, { retention: 10 });
  transfers.track('one').end('done');
  await waitFor(() => expect(readdirSync(folder)).toEqual([]));
  const old = join(folder, 'left-behind.json');
  writeFileSync(old, '{}');
  utimesSync(old, 0, 0);
  const later = copyWith(folder, { retention: 10 }).transfers.track('two');
  await waitFor(() => expect(readdirSync(folder)).not.toContain('left-behind.json'));
  later.end('done');
});

/** What each copy must answer in the end. */
interface Expected {
  readonly download: TrackedTransfer;
  rows: number;
  state: TransferState['state'];
}

function step(random: RandomBelow, copies: readonly Transfers[], expected: Map<string, Expected>) {
  const name = `download-${random(4)}`;
  const known = expected.get(name);
  const isRunning = known?.state === 'running';
  if (known === undefined) {
    expected.set(name, {
      download: pickOne(random, copies).track(name),
      rows: 0,
      state: 'running',
    });
    return isSeen(name, copies);
  }
  const action = random(10);
  if (action < 5 && isRunning) {
    known.rows += random(100);
    known.download.setProgress(progress(known.rows));
  } else if (action < 7 && isRunning) {
    const end = pickOne<TransferEnd>(random, ['done', 'failed']);
    known.state = end;
    known.download.end(end);
  } else if (action < 9) return cancel(pickOne(random, copies), name, known);
  return undefined;
}

/** Other copies see a download when its first record is written. */
async function isSeen(name: string, copies: readonly Transfers[]): Promise<void> {
  for (const copy of copies)
    await waitFor(async () => expect((await copy.find(name)).state).toBe('running'));
}

/** Canceling ends the job, which ends its download. */
async function cancel(copy: Transfers, name: string, known: Expected): Promise<void> {
  const wasRunning = known.state === 'running';
  if (wasRunning) {
    known.state = 'cancelled';
    known.download.signal.addEventListener('abort', () => known.download.end('failed'));
  }
  const canceled = copy.cancel(name);
  if (wasRunning) await canceled;
  else await canceled.catch((error: unknown) => expect(error).toMatchObject({ code: 'not_found' }));
}

test('random downloads, ends and cancellations on three copies are the same on each of them', async () => {
  await assert(asyncProperty(integer(), compareCopies), { numRuns: 6 });
}, 120_000);

async function compareCopies(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(parent, 'random-'));
  const copies = Array.from({ length: 3 }, () => copyWith(folder));
  const transfers = copies.map((copy) => copy.transfers);
  const expected = new Map<string, Expected>();
  for (let i = 0; i < 25; i++) {
    await step(random, transfers, expected);
    if (random(3) === 0) await new Promise((resolve) => setTimeout(resolve, random(30)));
  }
  for (const [name, { rows, state }] of expected)
    for (const copy of transfers)
      await waitFor(async () => expect(await copy.find(name)).toMatchObject({ rows, state }));
  for (const { download } of expected.values()) download.end('done');
  expect(copies.flatMap(({ failures }) => failures)).toEqual([]);
}
