/**
 * Random tables with foreign keys between them, random existing rows and random files: checks the
 * result of each import.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importFile } from '../importing.ts';
import { insertSql } from './harness.ts';
import { bigint, columnOf, int, tableWithId, optional } from './tables.ts';
import { createTriggers, dropTriggerFunctions, randomTriggers } from './random-triggers.ts';
import type { ForeignKey, ForeignKeyAction, Table } from '../../../src/model/schema.ts';
import type { Harness, JsonRow } from './harness.ts';
import type { RandomTrigger } from './random-triggers.ts';

interface RandomKey {
  readonly from: number;
  readonly to: number;
  readonly composite: boolean;
  readonly nullable: boolean;
  readonly onDelete: ForeignKeyAction;
  readonly onUpdate: ForeignKeyAction;
  readonly deferrable: ForeignKey['deferrable'];
}

type RandomRow = readonly number[];

interface RandomFile {
  readonly kind: 'csv' | 'json' | 'sql';
  /** The rows, in chunks per table. A JSON file has each table once, a CSV file has one table. */
  readonly chunks: readonly { readonly table: number; readonly rows: readonly RandomRow[] }[];
  readonly leavesOut: boolean;
  readonly options: {
    readonly on_conflict: string;
    readonly on_error: string;
    readonly mode: string;
  };
  readonly byIndex: boolean;
}

interface RandomImport {
  readonly keys: readonly RandomKey[];
  readonly existingRows: readonly (readonly RandomRow[])[];
  readonly triggers: readonly RandomTrigger[];
  readonly file: RandomFile;
}

const tableCount = 3;
const maxKeys = 5;

/** An id, then numbers for the other columns. */
const row: fc.Arbitrary<RandomRow> = fc
  .tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.array(fc.nat(9), { minLength: 2 * maxKeys + 1, maxLength: 2 * maxKeys + 1 }),
  )
  .map(([id, parts]) => [id, ...parts]);

const rows = fc.uniqueArray(row, {
  minLength: 1,
  maxLength: 5,
  size: 'max',
  selector: ([id]) => id,
});

const randomImports: fc.Arbitrary<RandomImport> = fc.record({
  keys: fc.array(
    fc.record<RandomKey>({
      from: fc.nat(tableCount - 1),
      to: fc.nat(tableCount - 1),
      composite: fc.boolean(),
      nullable: fc.constantFrom(true, false, false),
      onDelete: fc.constantFrom('no action', 'no action', 'cascade', 'set null'),
      onUpdate: fc.constantFrom('no action', 'no action', 'cascade', 'set null'),
      deferrable: fc.constantFrom(undefined, undefined, 'immediate', 'deferred'),
    }),
    { minLength: 1, maxLength: maxKeys },
  ),
  existingRows: fc.array(fc.oneof(rows, fc.constant([])), {
    minLength: tableCount,
    maxLength: tableCount,
  }),
  triggers: randomTriggers(tableCount),
  file: fc.record({
    kind: fc.constantFrom('csv', 'json', 'sql', 'sql'),
    chunks: fc.array(fc.record({ table: fc.nat(tableCount - 1), rows }), {
      minLength: 1,
      maxLength: 5,
    }),
    leavesOut: fc.boolean(),
    options: fc.record({
      on_conflict: fc.constantFrom('error', 'skip', 'update', 'update'),
      on_error: fc.constantFrom('abort', 'abort', 'skip'),
      mode: fc.constantFrom('append', 'append', 'replace'),
    }),
    byIndex: fc.boolean(),
  }),
});

/** Checks this many random imports. */
export async function checkImportsKeepForeignKeys(
  harness: Harness,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(randomImports, (randomImport) => checkImport(harness, randomImport)),
    // Shrinking is off, because each smaller case would have to create its tables again.
    { numRuns, endOnFailure: true },
  );
}

async function checkImport(harness: Harness, randomImport: RandomImport): Promise<void> {
  const tables = tablesOf(harness, randomImport);
  await harness.createTables(tables);
  try {
    await insertWithoutForeignKeyChecks(harness, tables, randomImport);
    await createTriggers(harness, tables, randomImport.triggers);
    const [before, dangling] = [
      await contents(harness, tables),
      await danglingReferencesOf(harness, tables),
    ];
    const dry = await outcome(harness, tables, { randomImport, dryRun: true });
    expect(await contents(harness, tables), 'after a dry run').toEqual(before);
    const real = await outcome(harness, tables, { randomImport, dryRun: false });
    expect(dry).toEqual(real);
    if ('code' in real) expect(await contents(harness, tables), 'after a failure').toEqual(before);
    const emptied =
      'code' in real || randomImport.file.options.mode === 'append'
        ? []
        : namesIn(tables, randomImport);
    const knownReferences = dangling.filter(({ table }) => !emptied.includes(table));
    const newReferences = (await danglingReferencesOf(harness, tables)).filter(
      (reference) =>
        !knownReferences.some((each) => JSON.stringify(each) === JSON.stringify(reference)),
    );
    expect(newReferences, 'new dangling references').toEqual([]);
  } finally {
    await dropTables(harness, tables);
    await dropTriggerFunctions(harness, randomImport.triggers);
  }
}

function tablesOf(harness: Harness, { keys }: RandomImport): readonly Table[] {
  return Array.from({ length: tableCount }, (_, i) => {
    const ownKeys = keys.map((key, k) => ({ ...key, k })).filter(({ from }) => from === i);
    const columns = ownKeys.flatMap(({ k, composite, nullable }) =>
      [`r${k}`, ...(composite ? [`s${k}`] : [])].map((column, at) =>
        columnOf(column, at === 0 ? bigint : int, { nullable }),
      ),
    );
    const foreignKeys = ownKeys.map(
      ({ k, to, composite, onDelete, onUpdate, nullable, deferrable }): ForeignKey => ({
        ...(deferrable !== undefined && canDefer(harness) ? { deferrable } : {}),
        name: `walk_${i}_${k}`,
        columns: composite ? [`r${k}`, `s${k}`] : [`r${k}`],
        table: `walk${to}`,
        referencedColumns: composite ? ['id', 'x'] : ['id'],
        onUpdate: allowedAction(harness, onUpdate, nullable),
        onDelete: allowedAction(harness, onDelete, nullable),
      }),
    );
    return tableWithId(`walk${i}`, [columnOf('x', int), optional('n', int), ...columns], {
      foreignKeys,
      indexes: [
        { name: `walk${i}_ix`, unique: true, parts: [{ column: 'id' }, { column: 'x' }] },
        { name: `walk${i}_n`, unique: true, parts: [{ column: 'n' }] },
      ],
    });
  });
}

function allowedAction(
  harness: Harness,
  action: ForeignKeyAction,
  nullable: boolean,
): ForeignKeyAction {
  return rejectsActionCycles(harness) || (action === 'set null' && !nullable)
    ? 'no action'
    : action;
}

function canDefer({ underTest }: Harness): boolean {
  return underTest.name === 'sqlite' || underTest.name === 'postgres';
}

/** SQL Server rejects cycles of referential actions. */
function rejectsActionCycles({ underTest }: Harness): boolean {
  return underTest.name === 'sqlserver';
}

/** The values of a row by column. There are few distinct values, so that many references match. */
function recordOf({ columns, foreignKeys }: Table, [id = 0, x = 0, ...rest]: RandomRow): JsonRow {
  const record: Record<string, unknown> = {
    id,
    x: x === 9 ? null : mostlyZero(x),
    n: id + (x === 8 ? 1 : 10),
  };
  for (const { columns: names } of foreignKeys) {
    const k = Number(names[0]?.slice(1));
    const isNull =
      columns.some(({ name, nullable }) => name === names[0] && nullable) && rest[k]! < 2;
    record[`r${k}`] = isNull ? null : (rest[k]! % 5) + 1;
    if (names.length > 1) record[`s${k}`] = mostlyZero(rest[k + maxKeys]!);
  }
  return record;
}

/** Mostly the same value, so that references of two columns match. */
function mostlyZero(part: number): number {
  return part === 7 ? 1 : 0;
}

/** Inserts rows with foreign keys disabled, as existing data may contain dangling references. */
const withoutForeignKeyChecks: Readonly<
  Record<string, (inserts: string, tables: readonly Table[]) => string>
> = {
  sqlite: (inserts) => `PRAGMA foreign_keys = OFF; ${inserts}; PRAGMA foreign_keys = ON`,
  postgres: (inserts) =>
    `SET session_replication_role = replica; ${inserts}; SET session_replication_role = DEFAULT`,
  mysql: (inserts) => `SET foreign_key_checks = 0; ${inserts}`,
  sqlserver: (inserts, tables) =>
    [
      ...tables.map(({ name }) => `ALTER TABLE ${name} NOCHECK CONSTRAINT ALL`),
      inserts,
      ...tables.map(({ name }) => `ALTER TABLE ${name} CHECK CONSTRAINT ALL`),
    ].join(';\n'),
};

async function insertWithoutForeignKeyChecks(
  harness: Harness,
  tables: readonly Table[],
  { existingRows }: RandomImport,
): Promise<void> {
  const inserts = tables.flatMap((table, i) => {
    const records = (existingRows[i] ?? []).map((each) => ({
      ...recordOf(table, each),
      x: mostlyZero(each[1]!),
      n: each[0]! + 10,
    }));
    return records.length === 0 ? [] : [numberedInsert(harness, table, records)];
  });
  if (inserts.length > 0)
    await harness.database.run(
      withoutForeignKeyChecks[harness.underTest.name]!(inserts.join(';\n'), tables),
    );
}

function numberedInsert(
  { underTest }: Harness,
  { name }: Table,
  records: readonly JsonRow[],
): string {
  const text = insertSql(underTest, name, records);
  return underTest.name === 'sqlserver'
    ? `SET IDENTITY_INSERT ${name} ON; ${text}; SET IDENTITY_INSERT ${name} OFF`
    : text;
}

async function contents({ database }: Harness, tables: readonly Table[]): Promise<unknown> {
  const found = [];
  for (const { name, columns } of tables) {
    const list = columns.map((column) => column.name).join(', ');
    found.push(await database.query(`SELECT ${list} FROM ${name} ORDER BY id`));
  }
  return JSON.parse(
    JSON.stringify(found, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  );
}

interface DanglingReference {
  readonly table: string;
  readonly key: string;
  readonly row: readonly string[];
}

async function danglingReferencesOf(
  { database }: Harness,
  tables: readonly Table[],
): Promise<readonly DanglingReference[]> {
  const dangling: DanglingReference[] = [];
  for (const { name: table, foreignKeys } of tables) {
    for (const { name: key = '', columns, table: parent, referencedColumns } of foreignKeys) {
      const on = columns
        .map((column, i) => `p.${referencedColumns[i]} = c.${column}`)
        .join(' AND ');
      const isNotNull = columns.map((column) => `c.${column} IS NOT NULL`).join(' AND ');
      const found = await database.query(
        `SELECT c.id, ${columns.map((column) => `c.${column}`).join(', ')} FROM ${table} c LEFT JOIN ${parent} p ON ${on} WHERE ${isNotNull} AND p.id IS NULL ORDER BY c.id`,
      );
      dangling.push(...found.map((values) => ({ table, key, row: values.map(String) })));
    }
  }
  return dangling;
}

function namesIn(tables: readonly Table[], { file }: RandomImport): readonly string[] {
  return chunksOf(file).map(({ table }) => tables[table]!.name);
}

/** As many chunks as a file of this kind can hold. */
function chunksOf({ kind, chunks }: RandomFile): RandomFile['chunks'] {
  if (kind === 'csv') return chunks.slice(0, 1);
  if (kind === 'sql') return chunks.filter((chunk) => chunk.rows.length > 0);
  return chunks.filter(({ table }, i) => chunks.findIndex((each) => each.table === table) === i);
}

interface ImportRun {
  readonly randomImport: RandomImport;
  readonly dryRun: boolean;
}

/** The response of the import: its counts, or all of its errors. */
async function outcome(
  harness: Harness,
  tables: readonly Table[],
  { randomImport: { file }, dryRun }: ImportRun,
): Promise<object> {
  const content = contentOf(harness, tables, file);
  const options = {
    ...file.options,
    dry_run: dryRun,
    ...(file.kind === 'csv' ? { table: tables[chunksOf(file)[0]!.table]!.name } : {}),
    ...(file.byIndex && file.options.on_conflict !== 'error' ? { conflict_columns: ['n'] } : {}),
  };
  try {
    const { dry_run: _, ...response } = await importFile(
      harness.database.url,
      [`walk.${file.kind}`, content],
      options,
    );
    return response;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    expect(error.code, error.message).not.toBe('internal');
    return { ...error.details, code: error.code, message: error.message };
  }
}

function contentOf(harness: Harness, tables: readonly Table[], file: RandomFile): string {
  const parts = chunksOf(file).map(({ table, rows: all }) => ({
    table: tables[table]!,
    records: all.map((each) =>
      withoutOptionalReferences(tables[table]!, recordOf(tables[table]!, each), file),
    ),
  }));
  if (file.kind === 'sql')
    return parts
      .map(({ table, records }) => `${insertSql(harness.underTest, table.name, records)};\n`)
      .join('');
  if (file.kind === 'json')
    return JSON.stringify(
      Object.fromEntries(parts.map(({ table, records }) => [table.name, records])),
    );
  const { table, records } = parts[0]!;
  const names = Object.keys(
    records[0] ?? withoutOptionalReferences(table, recordOf(table, [1]), file),
  );
  const lines = records.map((record) => names.map((name) => String(record[name] ?? '')).join(','));
  return `${[names.join(','), ...lines].join('\n')}\n`;
}

/** Leaves out the references if the table accepts rows without them. */
function withoutOptionalReferences(
  { columns }: Table,
  record: JsonRow,
  { leavesOut }: RandomFile,
): JsonRow {
  if (!leavesOut) return record;
  const isOut = (name: string): boolean =>
    columns.some((column) => column.name === name && column.nullable) && name !== 'n';
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isOut(name)));
}

async function dropTables(harness: Harness, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  const drops = names.map((name) => `DROP TABLE ${name}`).join('; ');
  const texts: Readonly<Record<string, string>> = {
    sqlite: `PRAGMA foreign_keys = OFF; ${drops}; PRAGMA foreign_keys = ON`,
    postgres: `DROP TABLE ${names.join(', ')} CASCADE`,
    mysql: `SET foreign_key_checks = 0; ${drops}`,
    sqlserver: `${tables.flatMap(({ name, foreignKeys }) => foreignKeys.map((key) => `ALTER TABLE ${name} DROP CONSTRAINT ${key.name}`)).join('; ')}; ${drops}`,
  };
  await harness.database.run(texts[harness.underTest.name]!);
}
