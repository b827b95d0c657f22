/** Batches of statements have the effects and the errors of statements that SQLite runs one after the other. */
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StatementsFailure } from '../../../src/model/statements-failure.ts';
import { makeDatabase, openFile, makeFile, run } from './fixture.ts';

const succeeding: readonly ((n: number) => string)[] = [
  (n) => `CREATE TABLE "table ${n}" (id INTEGER PRIMARY KEY, "a;b" TEXT DEFAULT ';')`,
  (n) => `CREATE INDEX "index ${n}" ON executed (n, 'ä')`,
  (n) => `CREATE VIEW "view ${n}" AS SELECT n AS "x${n}" FROM executed`,
  (n) => `CREATE TRIGGER "trigger ${n}" AFTER DELETE ON executed BEGIN SELECT 1; SELECT ';'; END`,
  (n) => `INSERT INTO executed VALUES (${n})`,
  (n) => `INSERT INTO executed VALUES (${n}) RETURNING n, ';'`,
  () => `SELECT n, ';' FROM executed`,
  () => 'SELECT n FROM executed -- the last line',
];

const failing = [
  'SELEC 1',
  'INSERT INTO missing VALUES (1)',
  'INSERT INTO executed VALUES (NULL)',
  `INSERT INTO executed SELECT NULL WHERE ';' = ';'`,
  'CREATE TABLE executed (n)',
];

/** SQLite's own functions run every statement of a text; a batch runs one for each text. */
const severalStatements = 'INSERT INTO executed VALUES (-1); DROP TABLE executed';

const statement = fc.oneof(
  { weight: 80, arbitrary: fc.constantFrom(...succeeding) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...failing, severalStatements).map((text) => () => text),
  },
);

const schema = 'CREATE TABLE executed (n NOT NULL)';
const contents = [
  'SELECT name, sql FROM sqlite_schema ORDER BY rowid',
  "SELECT n || '' FROM executed ORDER BY rowid",
];

/** What SQLite itself does with the statements: its contents, or the index of the one that it rejects. */
function expected(texts: readonly string[]): unknown {
  const sqlite = new DatabaseSync(':memory:');
  sqlite.exec(schema);
  for (const [index, text] of texts.entries()) {
    if (text === severalStatements) return { index };
    try {
      sqlite.exec(text);
    } catch {
      return { index };
    }
  }
  return contents.map((text) => sqlite.prepare(text).all().map(Object.values));
}

test('a batch runs each statement once, up to the first that fails, which it names', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 260, size: 'max' }), async (kinds) => {
      const texts = kinds.map((kind, n) => kind(n));
      const database = openFile(makeFile(schema));
      const read = () =>
        Promise.all(contents.map(async (text) => (await run(database, text)).rows));
      const before = await read();
      const error = await database
        .transaction('write', (session) => session.runAll!(texts))
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      const reference = expected(texts);
      if (error === undefined) {
        expect(await read()).toEqual(reference);
      } else {
        expect(error).toBeInstanceOf(StatementsFailure);
        expect({ index: (error as StatementsFailure).index }).toEqual(reference);
        expect(await read()).toEqual(before);
      }
      await database.close();
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

test('a batch that is aborted between its statements leaves nothing', async () => {
  const database = makeDatabase(schema);
  const abort = new AbortController();
  const reason = new Error('the client has gone');
  const texts = Array.from({ length: 5000 }, (_, n) => `INSERT INTO executed VALUES (${n})`);
  const failure = database.transaction('write', async (session) => {
    setImmediate(() => abort.abort(reason));
    await session.runAll!(texts, { signal: abort.signal });
  });
  await expect(failure).rejects.toBe(reason);
  expect((await run(database, 'SELECT n FROM executed')).rows).toEqual([]);
});
