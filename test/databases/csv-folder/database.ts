/**
 * A folder of CSV files as a database that can only be read: each file is a table, whose first column is
 * its key if it is named `id`. A column `author_id` references the table `author`. Its engine is an
 * in-memory database that is filled when the folder is opened.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { csvDialect } from './dialect.ts';
import type { Database, Query, Result, Session } from '../../../src/model/database.ts';
import type { RowStream } from '../../../src/model/rows.ts';
import type { Column, ColumnInfo, ForeignKey, Schema, Table } from '../../../src/model/schema.ts';
import type { Row, Value } from '../../../src/model/values.ts';

export function openFolder(folder: string): Database {
  const engine = new BetterSqlite3(':memory:').defaultSafeIntegers();
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  const names = new Set(files.map((file) => basename(file, '.csv')));
  const tables = files.map((file) => loadTable(engine, join(folder, file), names));
  engine.pragma('query_only = ON');
  const session: Session = {
    run: async (query) => run(engine, query),
    stream: async (query) => stream(run(engine, query)),
  };
  const schema: Schema = {
    database: basename(folder),
    serverVersion: '1',
    tables,
    views: [],
    enums: [],
  };
  return {
    ...session,
    dialect: csvDialect,
    transaction: (_mode, work) => work(session),
    read: (work) => work(session),
    hasSnapshot: async () => true,
    effectsOfReading: async () => [],
    introspect: async () => schema,
    otherObjects: async () => [],
    storedPrograms: () => Promise.resolve([]),
    structureVersion: async () => '1',
    isStructureVersionCheap: true,
    revisionOf: async (_session, table) => table.revision,
    changeToken: async () => '1',
    changesOnlyByCommits: async () => true,
    isPageCostBounded: async () => true,
    estimateResultRows: async () => undefined,
    estimateTableRows: async () => new Map(),
    serverState: async () => ({}),
    poolStats: () => ({
      maxOpenConnections: 1,
      openConnections: 1,
      inUse: 0,
      idle: 1,
      waitCount: 0,
      waitDurationMs: 0,
    }),
    close: async () => void engine.close(),
  };
}

function run(engine: BetterSqlite3.Database, { text, params, columns }: Query): Result {
  const statement = engine.prepare(text).raw();
  const rows = statement.all(...params) as Row[];
  return { columns: columns ?? statement.columns().map(columnInfo), rows, rowsAffected: 0 };
}

function columnInfo({ name }: BetterSqlite3.ColumnDefinition): ColumnInfo {
  return { name, type: { kind: 'untyped' }, dynamic: true };
}

function stream({ columns, rows }: Result): RowStream {
  return {
    columns,
    batches: (async function* () {
      for (let i = 0; i < rows.length; i += 500) yield rows.slice(i, i + 500);
    })(),
  };
}

/** Cells are not quoted. An empty cell is NULL. A column of whole numbers is an INTEGER, any other is TEXT. */
function loadTable(
  engine: BetterSqlite3.Database,
  path: string,
  tables: ReadonlySet<string>,
): Table {
  const name = basename(path, '.csv');
  const [head = [], ...rows] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const columns = head.map((title, i) =>
    columnOf(
      title,
      rows.map((row) => row[i] ?? ''),
    ),
  );
  const quote = csvDialect.quoteName;
  const definitions = columns.map((column) => `${quote(column.name)} ${column.nativeType}`);
  engine.exec(`CREATE TABLE ${quote(name)} (${definitions.join(', ')})`);
  const insert = engine.prepare(
    `INSERT INTO ${quote(name)} VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows)
    insert.run(...columns.map((column, i) => cellValue(column, row[i] ?? '')));
  return {
    name,
    localName: name,
    kind: 'table',
    columns,
    ...(head[0] === 'id' ? { primaryKey: { columns: ['id'] } } : {}),
    indexes: [],
    foreignKeys: columns.flatMap((column) => referenceOf(column, tables)),
    checks: [],
    revision: '1',
  };
}

function columnOf(name: string, cells: readonly string[]): Column {
  const isInteger = cells.every((cell) => /^(?:-?\d{1,18})?$/.test(cell));
  return {
    name,
    type: isInteger ? { kind: 'integer', bits: 64 } : { kind: 'text' },
    nativeType: isInteger ? 'INTEGER' : 'TEXT',
    nullable: cells.includes(''),
  };
}

function cellValue({ type }: Column, cell: string): Value {
  if (cell === '') return null;
  return type.kind === 'integer' ? BigInt(cell) : cell;
}

function referenceOf({ name }: Column, tables: ReadonlySet<string>): readonly ForeignKey[] {
  const table = /^(.+)_id$/.exec(name)?.[1] ?? '';
  if (!tables.has(table)) return [];
  return [
    {
      columns: [name],
      table,
      referencedColumns: ['id'],
      onUpdate: 'no action',
      onDelete: 'no action',
    },
  ];
}
