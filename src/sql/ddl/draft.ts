/** The schema that a file's statements add up to, while they are read. */
import type { EnumType, Schema, Table } from '../../model/schema.ts';
import type { DdlProblem, DdlReading, Dropped } from './reading.ts';
import type { Position } from '../position.ts';

export interface Draft {
  /** By their names. */
  readonly tables: Map<string, DraftTable>;
  readonly views: Map<string, Table>;
  readonly enums: EnumType[];
  readonly warnings: string[];
  readonly dropped: Dropped[];
  readonly problems: DdlProblem[];
  /** The databases that USE and qualified names speak of. */
  readonly databases: Set<string>;
  /** The databases of qualified names that no USE names. */
  readonly qualifiers: Set<string>;
  /** Whether a view is to run with the rights of a user that the file names. */
  definers: boolean;
  /** The one that names without a database are of: by USE, or the file's own. */
  database: string | undefined;
  /** The one whose tables the file has made last. */
  home: string | undefined;
}

export interface DraftTable {
  readonly table: Table;
  /** Where the file makes it. */
  readonly position: Position;
}

/** A table as a statement names it, without its default namespace. */
export interface TableReference {
  readonly localName: string;
  readonly namespace?: string;
}

export function newDraft(): Draft {
  return {
    tables: new Map(),
    views: new Map(),
    enums: [],
    warnings: [],
    dropped: [],
    problems: [],
    databases: new Set(),
    qualifiers: new Set(),
    definers: false,
    database: undefined,
    home: undefined,
  };
}

/** What follows is of that database. */
export function useDatabase(draft: Draft, name: string): void {
  draft.databases.add(name);
  draft.database = name;
}

/**
 * A statement speaks of tables of the named database, or of the one in use: a file that makes tables
 * of two would have both made in one.
 */
export function stayAtHome(draft: Draft, { line, column }: Position, named?: string): void {
  const database = named ?? draft.database;
  if (database === undefined) return;
  draft.home ??= database;
  if (draft.home.toLowerCase() === database.toLowerCase()) return;
  const message = `The file goes on with tables of another database, ${database} after ${draft.home}: import those of one at a time.`;
  draft.problems.push({ code: 'statement_refused', message, line, column });
  draft.home = database;
}

export function nameOfTable({ localName, namespace }: TableReference): string {
  return namespace === undefined ? localName : `${namespace}.${localName}`;
}

/** The name of a table that the file makes: as it is spelled, else whatever its letters' case. */
function keyOf(tables: ReadonlyMap<string, unknown>, name: string): string | undefined {
  if (tables.has(name)) return name;
  const folded = name.toLowerCase();
  return [...tables.keys()].find((key) => key.toLowerCase() === folded);
}

export function findTable({ tables }: Draft, reference: TableReference): Table | undefined {
  const key = keyOf(tables, nameOfTable(reference));
  return key === undefined ? undefined : tables.get(key)?.table;
}

/** Whether it was there. */
export function removeTable(draft: Draft, reference: TableReference): boolean {
  const name = nameOfTable(reference);
  const table = keyOf(draft.tables, name);
  const view = keyOf(draft.views, name);
  return (
    (table !== undefined && draft.tables.delete(table)) ||
    (view !== undefined && draft.views.delete(view))
  );
}

export function emptyTable(reference: TableReference): Table {
  return {
    name: nameOfTable(reference),
    ...reference,
    kind: 'table',
    columns: [],
    indexes: [],
    foreignKeys: [],
    checks: [],
  };
}

export function changeTable(
  draft: Draft,
  reference: TableReference,
  change: (table: Table) => Table,
): boolean {
  const key = keyOf(draft.tables, nameOfTable(reference));
  const found = key === undefined ? undefined : draft.tables.get(key);
  if (key === undefined || found === undefined) return false;
  const table = change(found.table);
  if (table.name !== key) draft.tables.delete(key);
  draft.tables.set(table.name, { ...found, table });
  return true;
}

/** The draft as a reading: columns in keys as their tables spell them, keys with the columns that they mean. */
export function finishDraft(draft: Draft): DdlReading {
  const problems = [...draft.problems];
  const tables = [...draft.tables.values()].map((each) => resolved(each, draft, problems));
  const schema: Schema = {
    database: '',
    serverVersion: '',
    tables,
    views: [...draft.views.values()],
    enums: draft.enums,
  };
  return {
    schema,
    warnings: [...draft.warnings, ...ofOthers(draft)],
    dropped: draft.dropped,
    problems,
  };
}

/** What the file says of other databases and users, once. */
function ofOthers({ qualifiers, definers }: Draft): readonly string[] {
  return [
    ...[...qualifiers].map(
      (name) => `What the file makes in the database ${name} is made in this one.`,
    ),
    ...(definers ? ['Definers are left out: views have the rights of whoever imports them.'] : []),
  ];
}

function resolved({ table, position }: DraftTable, draft: Draft, problems: DdlProblem[]): Table {
  const own = (names: readonly string[]): readonly string[] =>
    names.map((name) => {
      const column = columnOf(table, name);
      if (column === undefined) {
        const message = `The table ${table.name} has no column ${name}, which a key or index of it names.`;
        problems.push({ code: 'parse_failed', message, ...position });
      }
      return column ?? name;
    });
  const { primaryKey } = table;
  const keyColumns = own(primaryKey?.columns ?? []);
  const columns = table.columns.map((column) =>
    keyColumns.includes(column.name) ? { ...column, nullable: false } : column,
  );
  return {
    ...table,
    columns,
    ...softDeleteOf(columns),
    ...(primaryKey === undefined ? {} : { primaryKey: { ...primaryKey, columns: keyColumns } }),
    indexes: table.indexes.map((index) => ({
      ...index,
      parts: index.parts.map((part) =>
        part.column === undefined ? part : { ...part, column: own([part.column])[0]! },
      ),
    })),
    foreignKeys: table.foreignKeys.map((key) => {
      const target = findTable(draft, { localName: key.table });
      return { ...key, columns: own(key.columns), ...targetOf(key, target) };
    }),
  };
}

/** By its name and type, as in every database. */
function softDeleteOf(columns: Table['columns']): Pick<Table, 'softDelete'> {
  const column = columns.find(({ name }) => name === 'deleted_at');
  const isMoment = column?.type.kind === 'timestamp' || column?.type.kind === 'date';
  return column?.nullable === true && isMoment
    ? { softDelete: { column: column.name, flavour: 'time' } }
    : {};
}

function columnOf({ columns }: Table, name: string): string | undefined {
  const exact = columns.find((column) => column.name === name);
  return (exact ?? columns.find((column) => column.name.toLowerCase() === name.toLowerCase()))
    ?.name;
}

function targetOf(
  key: Table['foreignKeys'][number],
  target: Table | undefined,
): Pick<Table['foreignKeys'][number], 'table' | 'referencedColumns'> {
  if (target === undefined) return key;
  const columns =
    key.referencedColumns.length === 0
      ? (target.primaryKey?.columns ?? [])
      : key.referencedColumns.map((name) => columnOf(target, name) ?? name);
  return { table: target.name, referencedColumns: columns };
}
