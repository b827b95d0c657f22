/** The schema that the statements of a file build up while they are read. */
import type { EnumType, Schema, Table } from '../../model/schema.ts';
import type { DdlProblem, DdlReadResult, Dropped } from './ddl-reader.ts';
import type { ScriptProgram } from '../../model/stored-program.ts';
import type { Position } from '../../portable/lexer/position.ts';

export interface SchemaDraft {
  /** By `Table.name`. */
  readonly tables: Map<string, DraftTable>;
  readonly views: Map<string, Table>;
  readonly enums: EnumType[];
  readonly warnings: string[];
  readonly dropped: Dropped[];
  readonly problems: DdlProblem[];
  /** Triggers and routines, if the import creates them. */
  readonly programs: ScriptProgram[];
  /** Names of the tables that the statement being read has changed. */
  readonly changed: Set<string>;
  /** By table and column: the first statement with a key or index of a column that its table lacks. */
  readonly missingColumns: Map<string, Position>;
  /** Databases named by USE and by qualified names. */
  readonly databases: Set<string>;
  /** Databases of qualified names, which no USE statement names. */
  readonly qualifiers: Set<string>;
  /** Whether a view names a definer, whose privileges it would run with. */
  hasDefiners: boolean;
  /** The current database of unqualified names, as set by USE. */
  database: string | undefined;
  /** The database of the tables that the file has created so far. */
  tablesDatabase: string | undefined;
}

export interface DraftTable {
  readonly table: Table;
  /** Position of CREATE TABLE in the file. */
  readonly position: Position;
}

/** A table name in a statement; the default namespace is omitted. */
export interface TableReference {
  readonly localName: string;
  readonly namespace?: string;
}

export function newDraft(): SchemaDraft {
  return {
    tables: new Map(),
    views: new Map(),
    enums: [],
    warnings: [],
    dropped: [],
    problems: [],
    programs: [],
    changed: new Set(),
    missingColumns: new Map(),
    databases: new Set(),
    qualifiers: new Set(),
    hasDefiners: false,
    database: undefined,
    tablesDatabase: undefined,
  };
}

/** Makes the database the current one for the following statements. */
export function useDatabase(draft: SchemaDraft, name: string): void {
  draft.databases.add(name);
  draft.database = name;
}

/**
 * Reports a problem when a statement is about tables of a second database, because an import would
 * create the tables of both in one database.
 */
export function requireOneDatabase(
  draft: SchemaDraft,
  { line, column }: Position,
  namedDatabase?: string,
): void {
  const database = namedDatabase ?? draft.database;
  if (database === undefined) return;
  draft.tablesDatabase ??= database;
  if (draft.tablesDatabase.toLowerCase() === database.toLowerCase()) return;
  const message = `The file creates tables of two databases, ${draft.tablesDatabase} and ${database}. Split it and import one database at a time.`;
  draft.problems.push({ code: 'statement_refused', message, line, column });
  draft.tablesDatabase = database;
}

export function nameOfTable({ localName, namespace }: TableReference): string {
  return namespace === undefined ? localName : `${namespace}.${localName}`;
}

/** Finds a table of the file by its exact name, or else ignoring case. */
function findKey(tables: ReadonlyMap<string, unknown>, name: string): string | undefined {
  if (tables.has(name)) return name;
  const folded = name.toLowerCase();
  return [...tables.keys()].find((key) => key.toLowerCase() === folded);
}

export function findTable({ tables }: SchemaDraft, reference: TableReference): Table | undefined {
  const key = findKey(tables, nameOfTable(reference));
  return key === undefined ? undefined : tables.get(key)?.table;
}

export function findView({ views }: SchemaDraft, reference: TableReference): Table | undefined {
  const key = findKey(views, nameOfTable(reference));
  return key === undefined ? undefined : views.get(key);
}

/** Returns whether the table or view existed. */
export function removeTable(draft: SchemaDraft, reference: TableReference): boolean {
  const name = nameOfTable(reference);
  const table = findKey(draft.tables, name);
  const view = findKey(draft.views, name);
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
  draft: SchemaDraft,
  reference: TableReference,
  change: (table: Table) => Table,
): boolean {
  const key = findKey(draft.tables, nameOfTable(reference));
  const found = key === undefined ? undefined : draft.tables.get(key);
  if (key === undefined || found === undefined) return false;
  const table = change(found.table);
  if (table.name !== key) draft.tables.delete(key);
  draft.tables.set(table.name, { ...found, table });
  draft.changed.add(table.name);
  return true;
}

/** Records the position of the statement just read for columns that keys of its tables name but the tables lack. */
export function recordMissingColumns(draft: SchemaDraft, { line, column }: Position): void {
  for (const name of draft.changed) {
    const table = draft.tables.get(name)?.table;
    const columns = new Set(table?.columns.map((each) => each.name.toLowerCase()));
    for (const each of table === undefined ? [] : keyColumnsOf(table)) {
      const key = missingKey(name, each);
      const isNew = !columns.has(each.toLowerCase()) && !draft.missingColumns.has(key);
      if (isNew) draft.missingColumns.set(key, { line, column });
    }
  }
  draft.changed.clear();
}

function missingKey(table: string, column: string): string {
  return `${table}\0${column.toLowerCase()}`;
}

function keyColumnsOf({ primaryKey, indexes, foreignKeys }: Table): readonly string[] {
  return [
    ...(primaryKey?.columns ?? []),
    ...indexes.flatMap(({ parts }) => parts.flatMap(({ column }) => column ?? [])),
    ...foreignKeys.flatMap(({ columns }) => columns),
  ];
}

/** Completes the draft: resolves column names in keys to those of their tables, and fills in omitted referenced columns. */
export function finishDraft(draft: SchemaDraft): DdlReadResult {
  const problems = [...draft.problems];
  const tables = [...draft.tables.values()].map((each) => resolveTable(each, draft, problems));
  const schema: Schema = {
    database: '',
    serverVersion: '',
    tables,
    views: [...draft.views.values()],
    enums: draft.enums,
  };
  return {
    schema,
    warnings: [...draft.warnings, ...contextWarnings(draft)],
    dropped: draft.dropped,
    problems,
    programs: draft.programs,
  };
}

/** One warning for each other database, and one for definers. */
function contextWarnings({ qualifiers, hasDefiners }: SchemaDraft): readonly string[] {
  return [
    ...[...qualifiers].map(
      (name) =>
        `The file creates objects in the database ${name}; they are created in this database instead.`,
    ),
    ...(hasDefiners
      ? ['Definers are left out: views run with the privileges of the user who imports them.']
      : []),
  ];
}

function resolveTable(
  { table, position }: DraftTable,
  draft: SchemaDraft,
  problems: DdlProblem[],
): Table {
  const columnNames = (names: readonly string[]): readonly string[] =>
    names.map((name) => {
      const column = columnOf(table, name);
      if (column === undefined) {
        const message = `The table ${table.name} has no column ${name}, which a key or index of it names.`;
        const at = draft.missingColumns.get(missingKey(table.name, name)) ?? position;
        problems.push({ code: 'parse_failed', message, ...at });
      }
      return column ?? name;
    });
  const { primaryKey } = table;
  const keyColumns = columnNames(primaryKey?.columns ?? []);
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
        part.column === undefined ? part : { ...part, column: columnNames([part.column])[0]! },
      ),
    })),
    foreignKeys: table.foreignKeys.map((key) => {
      const target = findTable(draft, { localName: key.table });
      return { ...key, columns: columnNames(key.columns), ...targetOf(key, target) };
    }),
  };
}

/** Recognizes a soft-delete column by the same name and types as the databases do. */
function softDeleteOf(columns: Table['columns']): Pick<Table, 'softDelete'> {
  const column = columns.find(({ name }) => name === 'deleted_at');
  const isDateOrTimestamp = column?.type.kind === 'timestamp' || column?.type.kind === 'date';
  return column?.nullable === true && isDateOrTimestamp
    ? { softDelete: { column: column.name, mode: 'time' } }
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
