/** DO blocks in files of structure and rows, compared with what the server's own client creates of them. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { dumpOf } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { postgresUnderTest } from '../kit/databases-under-test/postgres.ts';
import type { TestDatabase } from '../../servers/postgres.ts';

// Skips the tests if there is no server.
usePostgres();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

const textOf = async ({ url }: TestDatabase): Promise<string> =>
  (await dumpOf(url)).text.replace(/^(?:-- .*\n)*/, '');

const tables =
  'CREATE TABLE a (id int PRIMARY KEY, t text);\nCREATE TABLE b (id int PRIMARY KEY, a_id int);\n';
const rows = "INSERT INTO a VALUES (1, 'x'), (2, 'DO $$ y $$');\nINSERT INTO b VALUES (1, 2);\n";

/** As tools write them, before or after the rows. */
const blocks = [
  'DO $$ BEGIN\n ALTER TABLE "b" ADD CONSTRAINT "b_a" FOREIGN KEY ("a_id") REFERENCES "public"."a"("id") ON DELETE no action ON UPDATE cascade;\nEXCEPTION\n WHEN duplicate_object THEN null;\nEND $$;\n',
  "DO $$ BEGIN CREATE TYPE mood AS ENUM ('sad', 'ok'); EXCEPTION WHEN duplicate_object THEN null; END $$;\n",
  "DO $x$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_tables WHERE tablename = 'c') THEN CREATE TABLE c (id int); END IF; END $x$;\n",
  'DO $$ BEGIN ALTER TABLE a ADD CONSTRAINT ck CHECK (id > 0); END $$;\n',
];

test('blocks that change the structure are followed', async () => {
  const part = fc.tuple(fc.subarray(blocks), fc.subarray(blocks));
  await fc.assert(
    fc.asyncProperty(part, async ([before, after]) => {
      const others = after.filter((block) => !before.includes(block));
      const text = [tables, ...before, rows, ...others].join('');
      await onNew(async (native) => {
        const [command, ...args] = postgresUnderTest.client(native.url);
        execFileSync(command, args, { input: text, stdio: 'pipe' });
        await onNew(async (copy) => {
          const { rows_imported: count } = await importDumpFile(copy.url, text);
          expect(count).toBe(3);
          expect(await textOf(copy)).toBe(await textOf(native));
        });
      });
    }),
    { numRuns: 8 },
  );
});

test.each([
  [
    'writes rows',
    tables,
    'DO $$ BEGIN INSERT INTO a VALUES (3); CREATE TABLE c (id int); END $$;\n',
  ],
  [
    'writes rows by EXECUTE',
    tables,
    "DO $$ BEGIN EXECUTE 'UPDATE a SET t = 1'; CREATE TABLE c (id int); END $$;\n",
  ],
  ['drops a table with rows', tables + rows, 'DO $$ BEGIN DROP TABLE a; END $$;\n'],
  [
    'changes values',
    tables + rows,
    'DO $$ BEGIN ALTER TABLE a ALTER COLUMN t TYPE int USING 1; END $$;\n',
  ],
])('a block that %s is an error with its line', async (_, before, block) => {
  await onNew(async (copy) => {
    const line = before.split('\n').length;
    await expect(importDumpFile(copy.url, before + block)).rejects.toMatchObject({
      details: { line },
    });
    expect(await textOf(copy)).not.toContain('CREATE TABLE');
  });
});
