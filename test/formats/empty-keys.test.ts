/** Empty cells of a key that the database stores are warned of. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { importFile } from '../databases/importing.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-empty-keys-'));
const url = join(folder, 'keys.db');
new BetterSqlite3(url)
  .exec(
    'CREATE TABLE numbered (k INTEGER PRIMARY KEY, v TEXT); CREATE TABLE plain (k INT PRIMARY KEY, v TEXT); CREATE TABLE required (k TEXT NOT NULL PRIMARY KEY, v TEXT)',
  )
  .close();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [
    'numbered',
    [
      'The database numbers a row of table "numbered", for which the file has no value of column "k".',
    ],
  ],
  [
    'plain',
    [
      '1 empty cell of column "k", which is part of the primary key of table "plain", was imported as NULL. The first: line 3: "".',
    ],
  ],
  [
    'required',
    [
      '1 empty cell of column "k", which is part of the primary key of table "required", was imported as the empty text. The first: line 3: "".',
    ],
  ],
])('in the key of table %s', async (table, warnings) => {
  const response = await importFile(url, ['k.csv', 'k,v\n1,a\n,b\n'], { table });
  expect(response.warnings).toEqual(warnings);
});
