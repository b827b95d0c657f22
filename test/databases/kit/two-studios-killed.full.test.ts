/**
 * Two processes of the studio import into new tables at once, with one state folder, and one is killed. The other
 * undoes what the dead one has left, and nothing of its own.
 */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeFolder, serve } from '../../cli/command.ts';
import { describeOnEachDatabase } from './harness.ts';
import type { KitDatabase } from './database-under-test.ts';

const scenario = fc.record({
  rows: fc.integer({ min: 20_000, max: 60_000 }),
  otherRows: fc.integer({ min: 1, max: 2000 }),
  /** After its table exists or else its job has started, in milliseconds; undefined if it is not killed. */
  killedAfter: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined, freq: 4 }),
});

interface Received {
  readonly status: number;
  readonly text: string;
}

/** Undefined if the studio has ended before its response. */
async function importRows(url: string, table: string, rows: number): Promise<Received | undefined> {
  const lines = Array.from({ length: rows }, (_, i) => `${i + 1},note ${i},2026-01-01\n`);
  const body = new FormData();
  body.set('file', new File(['id,note,day\n', ...lines], 'a.csv'));
  const path = `${url}/api/import/data?create_table=true&table=${table}`;
  try {
    const response = await fetch(path, { method: 'POST', body });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** SQLite takes one write at a time: the other one gets an error, and repeats it. */
async function importUntilDone(url: string, table: string, rows: number): Promise<void> {
  for (;;) {
    const received = await importRows(url, table, rows);
    if (received?.status === 200) return;
    expect(received).toEqual({ status: 503, text: expect.stringMatching(/nothing was written/i) });
    await sleep(100);
  }
}

/** Undefined if there is no such table. */
async function countRows(database: KitDatabase, table: string): Promise<number | undefined> {
  const counted = await database.query(`SELECT count(*) FROM ${table}`).catch(() => undefined);
  return counted === undefined ? undefined : Number(counted[0]?.[0]);
}

function journalsIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true }).map(String);
  return files.filter((name) => name.endsWith('.journal'));
}

async function isImporting(url: string): Promise<boolean> {
  const metrics = await (await fetch(`${url}/api/metrics`)).text();
  return /^studio_jobs_running [1-9]/m.test(metrics);
}

describeOnEachDatabase('one of two studios that import', (harness) => {
  test('is killed, and the other undoes only its import', { timeout: 600_000 }, async () => {
    const { database, underTest } = harness;
    const isJournaled = underTest.dialect.ddl.ddlUndo !== undefined;
    const seed = Number(process.env['STUDIO_TEST_SEED']);
    const stateDir = makeFolder();
    const flags = ['--state-dir', stateDir, database.url];
    const other = await serve(flags);
    for (const [i, each] of fc.sample(scenario, { numRuns: 5, seed }).entries()) {
      const studio = await serve(flags);
      const table = `one${i}`;
      let isOver = false;
      const imported = importRows(studio.url, table, each.rows);
      const ended = imported.then(() => (isOver = true));
      let others = 0;
      const importOther = (): Promise<void> =>
        importUntilDone(other.url, `other${i}x${others++}`, each.otherRows);
      // Each of these imports begins with undoing what has no owner.
      const importing = (async () => {
        while (!isOver) await importOther();
      })();
      const hasBegun = async (): Promise<boolean> =>
        isJournaled ? (await countRows(database, table)) !== undefined : isImporting(studio.url);
      while (!isOver && !(await hasBegun())) await sleep(10);
      await (each.killedAfter === undefined ? ended : sleep(each.killedAfter));
      const exited = once(studio.child, 'exit');
      studio.child.kill('SIGKILL');
      await exited;
      const received = await imported;
      await importing;
      // The job of a killed studio may live a little longer.
      const settle = async (): Promise<unknown> => {
        await importOther();
        return [(await countRows(database, table)) ?? each.rows, journalsIn(stateDir)];
      };
      await expect
        .poll(settle, { timeout: 40_000, message: JSON.stringify(each) })
        .toEqual([each.rows, []]);
      // Nothing but the kill ends it, except a write of the other on SQLite.
      expect([undefined, 200, 503], received?.text).toContain(received?.status);
      const isThere = (await countRows(database, table)) !== undefined;
      if (received !== undefined) expect(isThere).toBe(received.status === 200);
      for (let n = 0; n < others; n += 1)
        expect(await countRows(database, `other${i}x${n}`)).toBe(each.otherRows);
    }
  });
});
