/** Writes that arrive together share a transaction, and nothing else. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import type { Studio, StudioOptions } from '../../../src/studio/studio.ts';

const structure = `
CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE late (id INTEGER PRIMARY KEY, note_id INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE fragile (id INTEGER PRIMARY KEY, text TEXT);
CREATE TRIGGER fragile_insert BEFORE INSERT ON fragile WHEN new.text = 'break' BEGIN SELECT RAISE(ROLLBACK, 'all of it'); END;
CREATE TABLE endless (id INTEGER PRIMARY KEY, text TEXT);
CREATE TRIGGER endless_insert BEFORE INSERT ON endless WHEN new.text = 'endless' BEGIN
  SELECT count(*) FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n);
END;
`;

interface Harness {
  readonly studio: Studio;
  readonly path: string;
  create(table: string, values: object, signal?: AbortSignal): Promise<string>;
  texts(table: string): readonly unknown[];
}

async function open(options: Partial<StudioOptions> = {}): Promise<Harness> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-group-'));
  const path = join(folder, 'notes.db');
  const raw = new BetterSqlite3(path);
  raw.exec(structure);
  const studio = await createStudio({ url: path, ...options });
  onTestFinished(async () => {
    await studio.close();
    raw.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    studio,
    path,
    create: async (table, values, signal) => {
      const input = { table, body: JSON.stringify(values) };
      const { body } = await studio.perform(
        'create-row',
        input,
        signal === undefined ? {} : { signal },
      );
      return String(body instanceof Uint8Array ? Buffer.from(body) : body);
    },
    texts: (table) => raw.prepare(`SELECT text FROM ${table} ORDER BY text`).pluck().all(),
  };
}

/**
 * The number of transactions that have changed the file (https://www.sqlite.org/fileformat.html,
 * 1.3.7).
 */
function changes({ path }: Harness): number {
  return readFileSync(path).readUInt32BE(24);
}

const numbers = Array.from({ length: 40 }, (_, i) => i);

async function codesOf(writes: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(writes);
  return settled.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'done';
    return outcome.reason instanceof StudioError ? outcome.reason.code : String(outcome.reason);
  });
}

test('forty writes at once need fewer commits, and each returns its own row', async () => {
  const harness = await open();
  await harness.create('notes', { text: 'first' });
  const before = changes(harness);
  const replies = await Promise.all(
    numbers.map((i) => harness.create('notes', { text: `note ${i}` })),
  );
  for (const [i, reply] of replies.entries())
    expect(JSON.parse(reply)).toMatchObject({ message: 'created', data: { text: `note ${i}` } });
  expect(harness.texts('notes')).toHaveLength(41);
  expect(changes(harness) - before).toBeLessThan(40);
});

test('a failing write does not affect the others', async () => {
  const harness = await open();
  const texts = ['a', 'b', 'a', 'c', 'd'];
  const codes = await codesOf(texts.map((text) => harness.create('notes', { text })));
  expect(codes).toEqual(['done', 'done', 'unique_violation', 'done', 'done']);
  expect(harness.texts('notes')).toEqual(['a', 'b', 'c', 'd']);
});

test('a failing commit affects only the write that causes it', async () => {
  const harness = await open();
  const writes = [
    harness.create('notes', { text: 'before' }),
    harness.create('notes', { text: 'a' }),
    harness.create('late', { note_id: 999 }),
    harness.create('notes', { text: 'b' }),
  ];
  expect(await codesOf(writes)).toEqual(['done', 'done', 'foreign_key_violation', 'done']);
  expect(harness.texts('notes')).toEqual(['a', 'b', 'before']);
});

test('a trigger that ends the transaction affects no other write', async () => {
  const harness = await open();
  const texts = ['before', 'a', 'break', 'b'];
  const codes = await codesOf(texts.map((text) => harness.create('fragile', { text })));
  expect(codes.filter((code) => code === 'done')).toHaveLength(3);
  expect(codes[2]).not.toBe('done');
  expect(harness.texts('fragile')).toEqual(['a', 'b', 'before']);
});

test('only the write that takes too long is canceled', async () => {
  const harness = await open({ statementTimeoutMs: 1500 });
  await harness.create('endless', { text: 'first' });
  const texts = ['before', 'a', 'endless', 'b'];
  const codes = await codesOf(texts.map((text) => harness.create('endless', { text })));
  expect(codes).toEqual(['done', 'done', 'statement_timeout', 'done']);
  expect(harness.texts('endless')).toEqual(['a', 'b', 'before', 'first']);
});

test('queued writes of clients that have disconnected are not executed', async () => {
  const harness = await open();
  const gone = new AbortController();
  const first = harness.create('notes', { text: 'first' });
  const second = harness.create('notes', { text: 'second' }, gone.signal);
  gone.abort(new Error('gone'));
  expect(await codesOf([first, second])).toEqual(['done', 'Error: gone']);
  await harness.create('notes', { text: 'third' });
  expect(harness.texts('notes')).toEqual(['first', 'third']);
});
