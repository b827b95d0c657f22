/** Numbers in INSERT statements of a data file are stored as SQLite itself stores them, or rejected. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';

const numRuns = process.env['STUDIO_TEST_LONG'] ? 1000 : 30;

const digits = (most: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: most })
    .map((parts) => parts.join(''));

const literal = fc.oneof(
  fc.constantFrom('9e999', '-9e999', '0x7fffffffffffffff', '0xffffffffffffffff', '-0', '-0.0'),
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => `0x${value.toString(16)}`),
  fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      digits(20),
      digits(20),
      fc.option(fc.integer({ min: -330, max: 330 })),
    )
    .map(
      ([sign, integerDigits, part, exponent]) =>
        `${sign}${integerDigits}.${part}${exponent === null ? '' : `e${exponent}`}`,
    ),
);

const types = ['TEXT', 'VARCHAR(50)', 'NUMERIC', 'INTEGER', 'REAL', 'BLOB', ''];

test('a number literal has the value that SQLite gives it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-literals-'));
  const path = join(folder, 'd.sqlite');
  const database = new Sqlite(path);
  const columns = types.map((type, i) => `v${i} ${type}`).join(', ');
  database.exec(
    `CREATE TABLE judge (id INTEGER PRIMARY KEY, ${columns}); CREATE TABLE loaded (id INTEGER PRIMARY KEY, ${columns})`,
  );
  const stored = (table: string, i: number): unknown =>
    database.prepare(`SELECT typeof(v${i}) AS t, quote(v${i}) AS q FROM ${table}`).get();
  try {
    await fc.assert(
      fc.asyncProperty(literal, fc.nat(types.length - 1), async (text, i) => {
        database.exec('DELETE FROM judge; DELETE FROM loaded');
        database.exec(`INSERT INTO judge (id, v${i}) VALUES (1, ${text})`);
        const file = `INSERT INTO loaded (id, v${i}) VALUES (1, ${text});`;
        const isLoaded = await importFile(`sqlite:${path}`, ['x.sql', file]).then(
          () => true,
          () => false,
        );
        if (isLoaded) expect(stored('loaded', i)).toEqual(stored('judge', i));
        // A number that is neither a 64-bit integer nor an exact double may be rejected.
        else expect(text).toMatch(/\d{16}/);
      }),
      { numRuns },
    );
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
});
