import { codeOf } from '../../../sql/code.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { OtherObject } from '../../../model/other-objects.ts';
import type { Connection } from '../driver/driver.ts';
import type { Value } from '../../../model/values.ts';

/** Objects of a schema as SQLite's pragmas return them: https://www.sqlite.org/pragma.html */
export interface CatalogObject {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'virtual';
  readonly withoutRowId: boolean;
  readonly strict: boolean;
  /** The CREATE statement that SQLite stores. */
  readonly sql: string;
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly default: string | null;
  /** Its position in the primary key, from 1; 0 if it is not part of the key. */
  readonly keyPosition: number;
  readonly hidden: 'no' | 'hidden' | 'virtual' | 'stored';
}

export interface CatalogIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly origin: 'create' | 'unique' | 'primary';
  /** Null for the index of a constraint. */
  readonly sql: string | null;
  readonly parts: readonly CatalogIndexPart[];
}

export interface CatalogIndexPart {
  /** Null for an expression. */
  readonly column: string | null;
  readonly descending: boolean;
  readonly collation: string;
}

export interface CatalogForeignKey {
  readonly table: string;
  readonly columns: readonly string[];
  /** Empty if the key implicitly references the primary key. */
  readonly referencedColumns: readonly string[];
  readonly onUpdate: string;
  readonly onDelete: string;
}

/** What `introspect` leaves out: triggers, ON CONFLICT clauses, and sequences of empty tables. */
export function listOtherObjects(connection: Connection): readonly OtherObject[] {
  const triggers = select(
    connection,
    "SELECT 'trigger', name, tbl_name FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY tbl_name, name",
  );
  const made = select(
    connection,
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%conflict%' ORDER BY name",
  );
  const clauses = made.flatMap(([table, sql]) =>
    conflictClauses(String(sql)).map((clause): Value[] => ['conflict clause', clause, table ?? '']),
  );
  return [...triggers, ...clauses, ...sequenceCounters(connection)].map(([kind, name, table]) => ({
    kind: String(kind),
    name: String(name),
    table: { localName: String(table) },
  }));
}

/** The distinct ON CONFLICT clauses of a statement. ABORT is the default. */
function conflictClauses(sql: string): readonly string[] {
  const words = codeOf(sql, sqliteLexicalRules).map(({ word }) => word);
  const clauses = words.flatMap((word, i) =>
    word === 'ON' && words[i + 1] === 'CONFLICT' && words[i + 2] !== 'ABORT'
      ? [`ON CONFLICT ${words[i + 2] ?? ''}`]
      : [],
  );
  return [...new Set(clauses)];
}

/** Sequences of empty tables. In other tables, AUTOINCREMENT continues after the greatest rowid in any case. */
function sequenceCounters(connection: Connection): readonly (readonly Value[])[] {
  const isThere = select(
    connection,
    "SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'",
  );
  if (isThere.length === 0) return [];
  const found = select(connection, 'SELECT name, seq FROM main.sqlite_sequence ORDER BY name');
  return found.flatMap(([table, last]) => {
    const name = `"${String(table).replaceAll('"', '""')}"`;
    const isEmpty =
      Number(last) > 0 && select(connection, `SELECT 1 FROM main.${name} LIMIT 1`).length === 0;
    return isEmpty ? [['counter', `the last number ${String(last)}`, table ?? '']] : [];
  });
}

/** Tables and views, without internal tables of SQLite and shadow tables of virtual tables. */
export function listObjects(connection: Connection): readonly CatalogObject[] {
  const rows = select(
    connection,
    `SELECT l.name, l.type, l.wr, l.strict, m.sql FROM pragma_table_list AS l
     JOIN main.sqlite_schema AS m ON m.name = l.name AND m.type IN ('table', 'view')
     WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     ORDER BY m.rowid`,
  );
  return rows.map(([name, kind, withoutRowId, strict, sql]) => ({
    name: String(name),
    kind: kind as CatalogObject['kind'],
    withoutRowId: withoutRowId === 1,
    strict: strict === 1,
    sql: String(sql),
  }));
}

const hiddenStates = ['no', 'hidden', 'virtual', 'stored'] as const;

export function listColumns(connection: Connection, table: string): readonly CatalogColumn[] {
  const text = `SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, 'main') ORDER BY cid`;
  return select(connection, text, table).map(
    ([name, type, notNull, initial, keyPosition, hidden]) => ({
      name: String(name),
      type: String(type),
      notNull: notNull === 1,
      default: typeof initial === 'string' ? initial : null,
      keyPosition: Number(keyPosition),
      hidden: hiddenStates[Number(hidden)] ?? 'no',
    }),
  );
}

const origins = { c: 'create', u: 'unique', pk: 'primary' } as const;

/** CREATE INDEX statements by index name. One query for all tables, because it scans the whole schema. */
export function listIndexSql(connection: Connection): ReadonlyMap<string, string> {
  const text = `SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`;
  return new Map(select(connection, text).map(([name, sql]) => [String(name), String(sql)]));
}

/** In the order of their creation. */
export function listIndexes(
  connection: Connection,
  table: string,
  indexSql: ReadonlyMap<string, string>,
): readonly CatalogIndex[] {
  const text = `SELECT name, "unique", origin FROM pragma_index_list(?, 'main') ORDER BY seq DESC`;
  return select(connection, text, table).map(([name, unique, origin]) => ({
    name: String(name),
    unique: unique === 1,
    origin: origins[origin as keyof typeof origins],
    sql: indexSql.get(String(name)) ?? null,
    parts: listIndexParts(connection, String(name)),
  }));
}

function listIndexParts(connection: Connection, index: string): readonly CatalogIndexPart[] {
  const text = `SELECT name, cid, "desc", coll FROM pragma_index_xinfo(?, 'main') WHERE key = 1 ORDER BY seqno`;
  return select(connection, text, index).map(([name, cid, descending, collation]) => ({
    column: cid === -1 ? 'rowid' : typeof name === 'string' ? name : null,
    descending: descending === 1,
    collation: String(collation),
  }));
}

/** In the order of the table's DDL. The pragma numbers them from the last. */
export function listForeignKeys(
  connection: Connection,
  table: string,
): readonly CatalogForeignKey[] {
  const text = `SELECT id, "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?, 'main') ORDER BY id DESC, seq`;
  const keys = new Map<Value, readonly (readonly Value[])[]>();
  for (const row of select(connection, text, table)) {
    keys.set(row[0] ?? null, [...(keys.get(row[0] ?? null) ?? []), row]);
  }
  return [...keys.values()].map(foreignKeyOf);
}

function foreignKeyOf(rows: readonly (readonly Value[])[]): CatalogForeignKey {
  const [, table, , , onUpdate, onDelete] = rows[0] ?? [];
  const referenced = rows.map((row) => row[3]).filter((name) => typeof name === 'string');
  return {
    table: String(table),
    columns: rows.map((row) => String(row[2])),
    referencedColumns: referenced,
    onUpdate: String(onUpdate),
    onDelete: String(onDelete),
  };
}

function select(
  connection: Connection,
  text: string,
  ...params: readonly string[]
): readonly (readonly Value[])[] {
  return connection.statement(text).all(params, false);
}
