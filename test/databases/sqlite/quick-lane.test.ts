import { expect, test } from 'vitest';
import { createContext } from '../../../src/studio/core/create-context.ts';
import { DeferToOtherLane } from '../../../src/studio/core/context.ts';
import { performOperation } from '../../../src/studio/execution/operations.ts';
import { makeFile, openFile, openRaw, run } from './fixture.ts';
import type { Context, Invocation } from '../../../src/studio/core/context.ts';
import type { ListQuery } from '../../../src/studio/rows/read/page-plan.ts';

const boundedOnly: Invocation = { isReadOnly: true, boundedOnly: true };
const listDefaults: ListQuery = {
  page: 1,
  pageSize: 10,
  sort: [],
  showDeleted: false,
  filters: [],
  count: 'auto',
  etags: false,
  labels: false,
  cells: 'full',
};

function open(path: string): Context {
  return createContext(openFile(path, { readOnly: true }), {
    readOnly: true,
    disableSql: false,
    allowDdl: false,
  });
}

async function totalOf(context: Context, table: string, query: Partial<ListQuery>) {
  const input = { table, query: { ...listDefaults, ...query } };
  const { body } = await performOperation(context, { name: 'list-rows', input }, boundedOnly);
  return (JSON.parse(String(body)) as { readonly total: number }).total;
}

/** Groups of 1, 1000 and 1001 rows. */
const groups = `
  CREATE TABLE posts (id INTEGER PRIMARY KEY, grp INT, deleted_at DATETIME);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2002)
  INSERT INTO posts (grp) SELECT CASE WHEN i = 1 THEN 1 WHEN i <= 1001 THEN 2 ELSE 3 END FROM n;`;

const inGroup = (value: string): Partial<ListQuery> => ({ filters: [{ name: 'grp', value }] });

test('the quick lane counts few rows that an index finds, and defers more', async () => {
  const context = open(
    makeFile(`${groups}
      ALTER TABLE posts RENAME COLUMN deleted_at TO closed;
      CREATE INDEX posts_grp ON posts (grp)`),
  );
  expect(await totalOf(context, 'posts', inGroup('1'))).toBe(1);
  expect(await totalOf(context, 'posts', inGroup('2'))).toBe(1000);
  await expect(totalOf(context, 'posts', inGroup('3'))).rejects.toThrow(DeferToOtherLane);
  await expect(totalOf(context, 'posts', {})).rejects.toThrow(DeferToOtherLane);
});

test('the quick lane defers a filter that no index serves, however few rows it leaves', async () => {
  const context = open(makeFile(groups));
  await expect(totalOf(context, 'posts', inGroup('1'))).rejects.toThrow(DeferToOtherLane);
});

test('a list without deleted rows stays in the quick lane where an index serves it', async () => {
  const deletions = `${groups} DELETE FROM posts WHERE grp = 3; UPDATE posts SET deleted_at = '2020-01-01' WHERE id > 300`;
  const plain = open(makeFile(deletions));
  await expect(totalOf(plain, 'posts', {})).rejects.toThrow(DeferToOtherLane);
  const indexed = open(makeFile(`${deletions}; CREATE INDEX alive ON posts (deleted_at)`));
  expect(await totalOf(indexed, 'posts', {})).toBe(300);
});

test('a total is counted again after commits of other clients', async () => {
  const path = makeFile(`${groups} CREATE INDEX posts_grp ON posts (grp)`);
  const context = open(path);
  expect(await totalOf(context, 'posts', { ...inGroup('1'), showDeleted: true })).toBe(1);
  openRaw(path).exec('INSERT INTO posts (grp) VALUES (1)');
  expect(await totalOf(context, 'posts', { ...inGroup('1'), showDeleted: true })).toBe(2);
});

test('the structure of a transaction that was rolled back is not cached', async () => {
  const database = openFile(makeFile('CREATE TABLE t (v)'));
  const before = await database.structureVersion();
  const transaction = database.transaction('write', async (session) => {
    await run(session, 'CREATE TABLE u (v)');
    const inside = await database.structureVersion();
    expect(inside).not.toBe(before);
    throw new Error('Never mind.');
  });
  await expect(transaction).rejects.toThrow('Never mind.');
  expect(await database.structureVersion()).toBe(before);
});

test('writes are synced to disk, in WAL mode too', async () => {
  const path = makeFile('CREATE TABLE t (v)');
  openRaw(path).pragma('journal_mode = WAL');
  const { rows } = await run(openFile(path), 'PRAGMA synchronous');
  expect(rows).toEqual([[2n]]);
});
