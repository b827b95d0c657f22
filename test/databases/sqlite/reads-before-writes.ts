/**
 * Random endless reads, exports and writes at the same time. The driver itself reads the expected
 * content of the file.
 */
import { array, constantFrom, record, sample } from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { listDefaults } from '../kit/harness.ts';
import { makeFile, openRaw } from './fixture.ts';
import type BetterSqlite3 from 'better-sqlite3';
import type { Studio } from '../../../src/studio/studio.ts';

const structure = `
CREATE TABLE notes (id INTEGER PRIMARY KEY, text);
CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
  SELECT i FROM n WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id < 0);`;

const scenario = record({
  readers: array(constantFrom('list', 'sql'), { minLength: 1, maxLength: 3 }),
  /** Repeats the read if it was ended. */
  insists: constantFrom(true, false),
  writes: array(constantFrom('create', 'change'), { minLength: 1, maxLength: 3 }),
});

export type JournalMode = 'delete' | 'truncate' | 'persist' | 'wal';

/** In WAL mode no read is ended. In other modes every write succeeds, and ended reads report why. */
export async function checkWritesEndReads(mode: JournalMode, runs: number): Promise<void> {
  for (const { readers, insists, writes } of sample(scenario, runs)) {
    const { studio, texts, untilRead } = await openStudio(mode);
    const ended: unknown[] = [];
    let isOver = false;
    const keepReading = async (kind: string): Promise<void> => {
      do await readEndlessly(studio, kind).catch((error: unknown) => ended.push(error));
      while (insists && !isOver);
    };
    const reading = readers.map(keepReading);
    await untilRead();
    const written = await Promise.all(writes.map((kind, i) => write(studio, kind, `text ${i}`)));
    isOver = true;
    expect(written).toEqual(writes.map(() => undefined));
    expect(texts()).toEqual(writes.map((_, i) => `text ${i}`));
    if (mode === 'wal') expect(ended).toEqual([]);
    for (const error of ended) expect(messageOf(error)).toMatch(/was ended|This studio is writing/);
    await studio.close();
    await Promise.all(reading);
  }
}

export interface OpenedStudio {
  readonly studio: Studio;
  texts(): readonly unknown[];
  /** Waits until another process holds the file, and not only to read the structure. */
  untilRead(): Promise<void>;
}

export async function openStudio(mode: JournalMode): Promise<OpenedStudio> {
  const path = makeFile(structure);
  const raw = openRaw(path);
  raw.pragma(`journal_mode = ${mode}`);
  const studio = await createStudio({ url: path });
  onTestFinished(() => studio.close());
  await studio.perform('get-schema', {});
  await write(studio, 'create', 'first');
  raw.exec('DELETE FROM notes');
  return {
    studio,
    texts: () => raw.prepare('SELECT text FROM notes ORDER BY text').pluck().all(),
    untilRead: async () => {
      for (
        let heldChecks = 0;
        mode !== 'wal' && heldChecks < 20;
        heldChecks = isFree(raw) ? 0 : heldChecks + 1
      )
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

function isFree(raw: BetterSqlite3.Database): boolean {
  try {
    raw.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; ROLLBACK');
    return true;
  } catch {
    return false;
  } finally {
    raw.exec('PRAGMA busy_timeout = 5000');
  }
}

export async function readEndlessly(studio: Studio, kind: string): Promise<void> {
  await (kind === 'list'
    ? studio.perform('list-rows', {
        table: 'endless',
        query: { ...listDefaults, sort: [{ column: 'i', descending: true }] },
      })
    : sql(studio, 'SELECT sum(i) FROM endless'));
}

export async function write(studio: Studio, kind: string, text: string): Promise<void> {
  const row = { text };
  if (kind === 'create')
    await studio.perform('create-row', { table: 'notes', body: JSON.stringify(row) });
  else {
    const flags = { showDeleted: false, permanent: false, partial: false };
    const body = JSON.stringify({ create: [row] });
    await studio.perform('change-rows', { ...flags, table: 'notes', body });
  }
}

async function sql(studio: Studio, query: string): Promise<void> {
  await studio.perform('run-sql', { body: JSON.stringify({ query }) });
}

export function messageOf(error: unknown): string {
  if (error instanceof StudioError && error.code === 'database_busy') return error.message;
  throw error;
}
