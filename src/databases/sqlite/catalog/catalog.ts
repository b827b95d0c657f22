import { catalogQuery, asFlag, asNumber, asOptionalText, asText } from '../../catalog-query.ts';
import { codeOf } from '../../../portable/lexer/code.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { StoredProgram } from '../../../model/stored-program.ts';
import type { OtherObject } from '../../../model/other-objects.ts';
import type { CatalogQuery } from '../../catalog-query.ts';
import type { Connection } from '../driver/driver.ts';

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

/** What `introspect` leaves out: triggers, clauses of constraints, sequences of empty tables, and numbers in the file's header. */
export function listOtherObjects(connection: Connection): readonly OtherObject[] {
  const triggers = select(connection, triggersQuery).map(({ name, table }) =>
    objectOf(table, 'trigger', name),
  );
  const clauses = select(connection, conflictTablesQuery).flatMap(({ table, sql }) =>
    conflictClauses(sql).map((clause) => objectOf(table, 'conflict clause', clause)),
  );
  return [
    ...triggers,
    ...clauses,
    ...descendingKeys(connection),
    ...sequenceCounters(connection),
    ...headerNumbers(connection),
  ];
}

/** Columns that are in descending order in the primary key of several columns. */
function descendingKeys(connection: Connection): readonly OtherObject[] {
  return select(connection, descendingKeysQuery).map(({ table, columns }) =>
    objectOf(table, 'attribute', `DESC of ${columns} in the primary key`),
  );
}

const descendingKeysQuery = catalogQuery(
  { table: asText('t.name'), columns: asText(`group_concat(x.name, ', ')`) },
  (
    selectList,
  ) => `SELECT ${selectList} FROM main.sqlite_schema AS t, pragma_index_list(t.name, 'main') AS i,
  pragma_index_xinfo(i.name, 'main') AS x
WHERE t.type = 'table' AND i.origin = 'pk' AND x.key = 1 AND x.desc = 1
  AND (SELECT count(*) FROM pragma_index_xinfo(i.name, 'main') WHERE key = 1) > 1
GROUP BY t.name ORDER BY t.name`,
);

/** Applications keep the version of their structure there. */
function headerNumbers(connection: Connection): readonly OtherObject[] {
  return ['user_version', 'application_id'].flatMap((name) => {
    const [[value] = []] = connection.statement(`PRAGMA main.${name}`).all([], false);
    return Number(value) === 0
      ? []
      : [{ kind: 'setting', name: `PRAGMA ${name} = ${String(value)}` }];
  });
}

function objectOf(table: string, kind: string, name: string): OtherObject {
  return { kind, name, table: { localName: table } };
}

const triggersQuery = catalogQuery(
  { name: asText('name'), table: asText('tbl_name') },
  (selectList) =>
    `SELECT ${selectList} FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY tbl_name, name`,
);

/** Triggers as SQLite stores them, in the order of their creation. */
export function listTriggers(connection: Connection): readonly StoredProgram[] {
  return select(connection, triggerSqlQuery).map(({ name, table, sql }) => ({
    ...objectOf(table, 'trigger', name),
    stage: 'after rows',
    session: [],
    script: [sql],
    needs: [],
  }));
}

const triggerSqlQuery = catalogQuery(
  { name: asText('name'), table: asText('tbl_name'), sql: asText('sql') },
  (selectList) =>
    `SELECT ${selectList} FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid`,
);

const conflictTablesQuery = catalogQuery(
  { table: asText('name'), sql: asText('sql') },
  (selectList) =>
    `SELECT ${selectList} FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%conflict%' ORDER BY name`,
);

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
function sequenceCounters(connection: Connection): readonly OtherObject[] {
  const hasSequences = connection.statement(sequenceTableQuery).all([], false).length > 0;
  if (!hasSequences) return [];
  return select(connection, sequencesQuery).flatMap(({ table, lastValue }) => {
    const name = `"${table.replaceAll('"', '""')}"`;
    const isEmpty =
      Number(lastValue) > 0 &&
      connection.statement(`SELECT 1 FROM main.${name} LIMIT 1`).all([], false).length === 0;
    return isEmpty ? [objectOf(table, 'counter', `the last number ${lastValue}`)] : [];
  });
}

const sequenceTableQuery = `SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'`;

const sequencesQuery = catalogQuery(
  { table: asText('name'), lastValue: asText('seq') },
  (selectList) => `SELECT ${selectList} FROM main.sqlite_sequence ORDER BY name`,
);

const objectsQuery = catalogQuery(
  {
    name: asText('l.name'),
    kind: asText('l.type'),
    withoutRowId: asFlag('l.wr'),
    strict: asFlag('l.strict'),
    sql: asText('m.sql'),
  },
  (selectList) => `SELECT ${selectList} FROM pragma_table_list AS l
     JOIN main.sqlite_schema AS m ON m.name = l.name AND m.type IN ('table', 'view')
     WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     ORDER BY m.rowid`,
);

/** Tables and views, without internal tables of SQLite and shadow tables of virtual tables. */
export function listObjects(connection: Connection): readonly CatalogObject[] {
  return select(connection, objectsQuery).map((row) => ({
    ...row,
    kind: row.kind as CatalogObject['kind'],
  }));
}

const hiddenStates = ['no', 'hidden', 'virtual', 'stored'] as const;

const columnsQuery = catalogQuery(
  {
    name: asText('name'),
    type: asText('type'),
    notNull: asFlag('"notnull"'),
    default: asOptionalText('dflt_value'),
    keyPosition: asNumber('pk'),
    hidden: asNumber('hidden'),
  },
  (selectList) => `SELECT ${selectList} FROM pragma_table_xinfo(?, 'main') ORDER BY cid`,
);

export function listColumns(connection: Connection, table: string): readonly CatalogColumn[] {
  return select(connection, columnsQuery, table).map((row) => ({
    ...row,
    default: row.default ?? null,
    hidden: hiddenStates[row.hidden] ?? 'no',
  }));
}

const origins = { c: 'create', u: 'unique', pk: 'primary' } as const;

const indexSqlQuery = catalogQuery(
  { name: asText('name'), sql: asText('sql') },
  (selectList) =>
    `SELECT ${selectList} FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`,
);

/** CREATE INDEX statements by index name. One query for all tables, because it scans the whole schema. */
export function listIndexSql(connection: Connection): ReadonlyMap<string, string> {
  return new Map(select(connection, indexSqlQuery).map(({ name, sql }) => [name, sql]));
}

const indexesQuery = catalogQuery(
  { name: asText('name'), unique: asFlag('"unique"'), origin: asText('origin') },
  (selectList) => `SELECT ${selectList} FROM pragma_index_list(?, 'main') ORDER BY seq DESC`,
);

/** In the order of their creation. */
export function listIndexes(
  connection: Connection,
  table: string,
  indexSql: ReadonlyMap<string, string>,
): readonly CatalogIndex[] {
  return select(connection, indexesQuery, table).map(({ name, unique, origin }) => ({
    name,
    unique,
    origin: origins[origin as keyof typeof origins],
    sql: indexSql.get(name) ?? null,
    parts: listIndexParts(connection, name),
  }));
}

const indexPartsQuery = catalogQuery(
  {
    name: asOptionalText('name'),
    columnId: asNumber('cid'),
    descending: asFlag('"desc"'),
    collation: asText('coll'),
  },
  (selectList) =>
    `SELECT ${selectList} FROM pragma_index_xinfo(?, 'main') WHERE key = 1 ORDER BY seqno`,
);

/** https://www.sqlite.org/pragma.html#pragma_index_info */
const rowIdColumnId = -1;

function listIndexParts(connection: Connection, index: string): readonly CatalogIndexPart[] {
  return select(connection, indexPartsQuery, index).map(
    ({ name, columnId, descending, collation }) => ({
      column: columnId === rowIdColumnId ? 'rowid' : (name ?? null),
      descending,
      collation,
    }),
  );
}

const foreignKeysQuery = catalogQuery(
  {
    id: asNumber('id'),
    table: asText('"table"'),
    from: asText('"from"'),
    /** NULL if the key implicitly references the primary key. */
    to: asOptionalText('"to"'),
    onUpdate: asText('on_update'),
    onDelete: asText('on_delete'),
  },
  (selectList) =>
    `SELECT ${selectList} FROM pragma_foreign_key_list(?, 'main') ORDER BY id DESC, seq`,
);

/** In the order of the table's DDL. The pragma numbers them from the last. */
export function listForeignKeys(
  connection: Connection,
  table: string,
): readonly CatalogForeignKey[] {
  const keys = Map.groupBy(select(connection, foreignKeysQuery, table), ({ id }) => id);
  return [...keys.values()].map((parts) => ({
    table: parts[0]?.table ?? '',
    columns: parts.map(({ from }) => from),
    referencedColumns: parts.map(({ to }) => to).filter((to) => to !== undefined),
    onUpdate: parts[0]?.onUpdate ?? '',
    onDelete: parts[0]?.onDelete ?? '',
  }));
}

function select<R>(
  connection: Connection,
  { text: statement, decodeRow }: CatalogQuery<R>,
  ...params: readonly string[]
): readonly R[] {
  return connection.statement(statement).all(params, false).map(decodeRow);
}
