import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { sqliteDialect } from '../../../../src/databases/sqlite/dialect/dialect.ts';
import type { KitDatabase, DatabaseUnderTest } from '../database-under-test.ts';

export const sqliteUnderTest: DatabaseUnderTest = {
  name: 'sqlite',
  dialect: sqliteDialect,
  makeDatabase,
  skip: [
    {
      reason: 'a column stores any value, whatever its type',
      feature: 'errors of each row',
      tests: ['are all reported and counted'],
    },
    {
      reason: 'a column stores any text as it is unless the request names a format',
      feature: 'formats of imported files',
      tests: [
        'of a German spreadsheet are found, in an existing table',
        'that the file does not determine are requested',
        'are found again after rows have waited for rows that they reference',
        'of unambiguous dates need no order',
        'of thousands separators are found in other columns too',
      ],
    },
    {
      reason: 'a column stores values of any type',
      feature: 'filters',
      tests: ['a fraction for an integer', 'an integer of 65 bits'],
    },
    {
      reason: 'a column stores values of any type',
      feature: 'values',
      tests: [
        'text for an integer',
        'a fraction for an integer',
        'an integer of 33 bits',
        'text for a decimal',
        'the empty text for a decimal',
        'text for a double',
        'text for a boolean',
        'text for binary',
        'are rejected if no double represents them: "nan"',
        'are rejected if no double represents them: "inf"',
      ],
    },
    {
      reason: 'a column stores values of any type',
      feature: 'error codes',
      tests: ['a value of another type', 'an integer out of range', 'a text that is too long'],
    },
    {
      reason: 'declared lengths and scales are not enforced',
      feature: 'values',
      tests: [
        'a text that is too long',
        'more decimals than the column keeps',
        'more digits than the column has',
      ],
    },
    {
      reason: 'declared lengths and dates are not enforced',
      feature: 'loading bad rows',
      tests: ['values that the database rejects have row and column'],
    },
    {
      reason: 'a date column stores any text',
      feature: 'errors of imported rows',
      tests: [
        'name the column and the value of an impossible date: skip',
        'name the column and the value of an impossible date: update',
      ],
    },
    {
      reason: 'dates, times, uuids and enums are text',
      feature: 'filters',
      tests: [
        'accept a timestamp with a T',
        'text for a date',
        'text for a timestamp',
        'text for a uuid',
        'an enum without that value',
      ],
    },
    {
      reason: 'dates, times, uuids and enums are text',
      feature: 'values',
      tests: [
        'a timestamp with a space',
        'a timestamp with an offset',
        'text for a uuid',
        'text for a date',
        'a 30th of February',
        'text for a timestamp',
        'a value that is not in the enum',
      ],
    },
    {
      reason: 'decimals are doubles',
      feature: 'values',
      tests: [
        'a decimal of thirty digits',
        'a decimal of thirty digits as a number',
        'have the digits that the database shows',
      ],
    },
    {
      reason:
        'JSON is text, so JSON strings and numbers cannot be distinguished from text and numbers',
      feature: 'values',
      tests: ['of JSON can be strings, numbers and literals'],
    },
    {
      reason: 'there is no negative zero in a column',
      feature: 'values',
      tests: ['can be negative zero'],
    },
    {
      reason: 'there are no comments',
      feature: 'introspection',
      tests: ['returns those of tables and columns'],
    },
    {
      reason: 'an enum is text with a check',
      feature: 'introspection',
      tests: ['returns the values of an enum'],
    },
    {
      reason: 'views and triggers are created without the objects that they name',
      feature: 'dumps with rejected objects',
      tests: ['have all tables, rows and other views', 'have all rows and other triggers'],
    },
    { reason: 'NaN is NULL', feature: 'values', tests: ['can be NaN'] },
    {
      reason: 'without a write-ahead log, writers wait for readers',
      feature: 'export',
      tests: ['shows the state at one time'],
    },
  ],
  kinds: { enum: 'text' },
  storageEngines: {},
  binaryLiteral: (hex) => `X'${hex}'`,
  exactText: (name) =>
    `CASE typeof(${name}) WHEN 'real' THEN format('%!.17g', ${name}) ELSE CAST(${name} AS TEXT) END`,
  client: (url) => ['sqlite3', '-bail', url],
  ignoreWrites: (event, table) =>
    `CREATE TRIGGER ${table}_${event} BEFORE ${event} ON ${table} BEGIN SELECT RAISE(IGNORE); END`,
};

// oxlint-disable-next-line require-await -- the others wait for their servers
async function makeDatabase(): Promise<KitDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-kit-'));
  const path = join(folder, 'kit.db');
  const raw = new BetterSqlite3(path);
  // A read-only connection cannot open an empty file.
  raw.exec('VACUUM');
  return {
    url: path,
    run: async (sql) => void raw.exec(sql),
    query: async (sql) => raw.prepare(sql).raw().all() as unknown[][],
    runsReadOnly: async (sql) => runsReadOnly(path, sql),
    fingerprint: async () => hashFiles(folder),
    drop: async () => {
      raw.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function runsReadOnly(path: string, sql: string): boolean {
  const reader = new BetterSqlite3(path, { readonly: true });
  try {
    const statement = reader.prepare(sql);
    return statement.reader && statement.all().length >= 0;
  } catch {
    return false;
  } finally {
    reader.close();
  }
}

/** Includes a leftover journal. */
function hashFiles(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).toSorted()) {
    hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}
