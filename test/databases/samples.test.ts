/**
 * Sample databases, loaded by SQLite's shell and served by the studio, compared with what the shell
 * reported.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { listDefaults, readBody } from './kit/harness.ts';
import type { Page } from './kit/harness.ts';
import type { Studio } from '../../src/studio/studio.ts';

const samples = join(import.meta.dirname, '../../../shared/samples');

interface ExpectedSchema {
  readonly dialect: string;
  readonly files: readonly string[];
  readonly tables: readonly ExpectedTable[];
}

interface ExpectedTable {
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly nullable: boolean;
    readonly default: string | null;
  }[];
  readonly primary_key: readonly string[];
  readonly foreign_keys: readonly {
    readonly columns: readonly string[];
    readonly ref_table: string;
    readonly ref_columns: readonly string[];
    readonly on_update: string;
    readonly on_delete: string;
  }[];
  readonly row_count?: number;
}

interface ReportedTable {
  readonly name: string;
  readonly kind: string;
  readonly primary_key: readonly string[];
  readonly row_count: number;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly is_nullable: boolean;
    readonly default_value: string;
    readonly is_auto_increment: boolean;
  }[];
  readonly foreign_keys: readonly {
    readonly columns: readonly string[];
    readonly references: { readonly table: string; readonly columns: readonly string[] };
    readonly on_update: string;
    readonly on_delete: string;
  }[];
}

const facts: readonly (readonly [string, ExpectedSchema])[] = existsSync(
  join(samples, 'sql/facts.json'),
)
  ? Object.entries(
      JSON.parse(readFileSync(join(samples, 'sql/facts.json'), 'utf8')) as Record<
        string,
        ExpectedSchema
      >,
    ).filter(([, { dialect }]) => dialect === 'sqlite')
  : [];

const hasShell = spawnSync('sqlite3', ['--version']).status === 0;
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

/** Uses the shell if it is installed. Journal modes in the dump are ignored, because they would only be slow. */
function load(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-samples-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'sample.db');
  const sql = files.map((file) => readFileSync(join(samples, 'sql', file), 'utf8')).join('\n');
  const input = `PRAGMA synchronous = OFF;\n${sql.replaceAll(/^\s*PRAGMA journal_mode.*$/gim, '')}`;
  if (hasShell)
    execFileSync('sqlite3', ['-bail', path], { input, stdio: ['pipe', 'ignore', 'pipe'] });
  else new BetterSqlite3(path).exec(input).close();
  return path;
}

async function open(path: string): Promise<Studio> {
  const studio = await createStudio({ url: path, readOnly: true });
  cleanups.push(() => studio.close());
  return studio;
}

async function tablesOf(studio: Studio): Promise<readonly ReportedTable[]> {
  const schema = readBody(await studio.perform('get-schema', { counts: 'exact' })) as {
    readonly tables: readonly ReportedTable[];
    readonly views: readonly ReportedTable[];
  };
  return [...schema.tables, ...schema.views];
}

const sorted = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => JSON.stringify(value)).toSorted();
const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/** A key that is the rowid is never NULL, whatever its declaration. Table names are case-insensitive. */
function reported(table: ReportedTable): object {
  return {
    name: table.name,
    kind: table.kind,
    primary_key: table.primary_key,
    columns: table.columns.map((column) => [
      column.name,
      column.type,
      table.kind === 'view' || column.is_auto_increment || column.is_nullable,
      column.default_value,
    ]),
    foreign_keys: sorted(
      table.foreign_keys.map((key) => [
        key.columns,
        key.references.table.toLowerCase(),
        key.references.columns,
        key.on_update,
        key.on_delete,
      ]),
    ),
  };
}

function expected(fact: ExpectedTable, { columns }: ReportedTable): object {
  const numbered = columns.find((column) => column.is_auto_increment)?.name;
  return {
    name: fact.name,
    kind: fact.kind,
    primary_key: fact.primary_key,
    columns: fact.columns.map((column) => [
      column.name,
      column.type,
      fact.kind === 'view' || column.name === numbered || column.nullable,
      column.default ?? '',
    ]),
    foreign_keys: sorted(
      fact.foreign_keys.map((key) => [
        key.columns,
        key.ref_table.toLowerCase(),
        key.ref_columns,
        key.on_update.toLowerCase(),
        key.on_delete.toLowerCase(),
      ]),
    ),
  };
}

/** Every row of a table, by its cursors. */
async function countByPages(studio: Studio, table: string): Promise<number> {
  let rows = 0;
  let cursor: string | undefined;
  do {
    const query = {
      ...listDefaults,
      pageSize: 500,
      count: 'none',
      showDeleted: true,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = readBody(await studio.perform('list-rows', { table, query })) as Page;
    rows += page.data.length;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return rows;
}

test('the samples are there', (context) => {
  if (facts.length === 0) context.skip('../shared/samples is not there');
  expect(facts.length).toBeGreaterThan(3);
});

describe.each(facts)('%s', (_name, fact) => {
  test('has its tables, columns, keys and every row', async () => {
    const studio = await open(load(fact.files));
    const tables = await tablesOf(studio);
    expect(tables.map(({ name }) => name).toSorted()).toEqual(
      fact.tables.map(({ name }) => name).toSorted(),
    );
    for (const [i, table] of tables.toSorted(byName).entries()) {
      const response = fact.tables.toSorted(byName)[i]!;
      expect(reported(table), response.name).toEqual(expected(response, table));
      if (response.row_count === undefined) continue;
      expect({ table: response.name, rows: table.row_count }).toEqual({
        table: response.name,
        rows: response.row_count,
      });
      expect(await countByPages(studio, response.name), response.name).toBe(response.row_count);
    }
  }, 60_000);
});

describe('chinook.sqlite', () => {
  test('equals the dump of the same database', async (context) => {
    const path = join(samples, 'sqlite/chinook.sqlite');
    if (!existsSync(path)) context.skip('../shared/samples is not there');
    const fact = new Map(facts).get('chinook_sqlite.sql')!;
    const tables = await tablesOf(await open(path));
    const counts = new Map(tables.map((table) => [table.name, table]));
    for (const response of fact.tables) {
      const table = counts.get(response.name);
      expect(table?.primary_key, response.name).toEqual(response.primary_key);
      expect(
        table?.columns.map(({ name }) => name),
        response.name,
      ).toEqual(response.columns.map(({ name }) => name));
      expect(table?.foreign_keys.length, response.name).toBe(response.foreign_keys.length);
      expect(table?.row_count, response.name).toBe(response.row_count);
    }
  });
});
