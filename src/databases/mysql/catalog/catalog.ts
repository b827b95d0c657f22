import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../../../model/database.ts';
import type { Value } from '../../../model/values.ts';
import type { ServerFacts } from '../dialect/server-facts.ts';

/**
 * Reads one view of information_schema at a time, because MariaDB would open every table again for each
 * row of a join. Result columns are read by position: without aliases MySQL names them in upper case.
 */
export interface Catalog {
  readonly database: string;
  readonly relations: readonly CatalogRelation[];
  /** Names of tables that another session holds locked, so that the server cannot open them. */
  readonly locked: ReadonlySet<string>;
  readonly columns: readonly CatalogColumn[];
  readonly indexParts: readonly CatalogIndexPart[];
  readonly keyParts: readonly CatalogKeyPart[];
  readonly keyRules: readonly CatalogKeyRules[];
  readonly checks: readonly CatalogCheck[];
  /** By view name. */
  readonly viewDefinitions: ReadonlyMap<string, string>;
}

export interface CatalogRelation {
  readonly name: string;
  readonly type: string;
  readonly engine: string | undefined;
  readonly collation: string | undefined;
  readonly comment: string;
  readonly createOptions: string;
}

export interface CatalogColumn {
  readonly table: string;
  readonly name: string;
  readonly default: string | undefined;
  readonly nullable: boolean;
  readonly type: string;
  readonly collation: string | undefined;
  /** `auto_increment`, `on update …`, `DEFAULT_GENERATED`, `STORED GENERATED`, `INVISIBLE` … */
  readonly extra: string;
  readonly comment: string;
  readonly generation: string;
  /** The SRID that all values of a spatial column must have (MySQL). */
  readonly referenceSystem: string | undefined;
}

export interface CatalogIndexPart {
  readonly table: string;
  readonly index: string;
  readonly unique: boolean;
  readonly column: string | undefined;
  readonly descending: boolean;
  readonly prefixLength: number | undefined;
  readonly method: string;
  readonly comment: string;
  readonly expression: string | undefined;
  readonly invisible: boolean;
}

/** A column of a foreign key. */
export interface CatalogKeyPart {
  readonly table: string;
  readonly constraint: string;
  readonly column: string;
  readonly targetDatabase: string;
  readonly targetTable: string;
  readonly targetColumn: string;
}

export interface CatalogKeyRules {
  readonly table: string;
  readonly constraint: string;
  readonly onUpdate: string;
  readonly onDelete: string;
}

export interface CatalogCheck {
  readonly table: string;
  readonly constraint: string;
  readonly expression: string;
  readonly enforced: boolean;
}

export async function readCatalog(session: Session, server: ServerFacts): Promise<Catalog> {
  const { isMariadb } = server;
  const query = async <T>(
    text: string,
    read: (values: readonly Value[]) => T,
  ): Promise<readonly T[]> =>
    (await session.run({ text: withoutWaiting(text + everyRow, server), params: [] })).rows.map(
      read,
    );
  const [database = ''] = await query('SELECT DATABASE()', ([name]) => String(name));
  const listRelations = (): Promise<RelationList> =>
    query(relations(), readRelation).then((found) => withLockedTables(session, found, server));
  let { found, locked } = await listRelations();
  if (locked.size > 0) {
    // An ALTER TABLE holds its exclusive lock only briefly.
    await sleep(lockRetryMs);
    ({ found, locked } = await listRelations());
  }
  return {
    database,
    relations: found,
    locked,
    columns: await query(isMariadb ? columns('NULL') : columns('srs_id'), readColumn),
    indexParts: await query(indexParts(server), readIndexPart),
    keyParts: await query(keyParts, readKeyPart),
    keyRules: await query(keyRules, readKeyRules),
    checks: await query(isMariadb ? mariadbChecks() : mysqlChecks, readCheck),
    viewDefinitions: new Map(
      await query(views, ([name, text]) => [String(name), String(text ?? '')] as const),
    ),
  };
}

const lockRetryMs = 500;

/**
 * Makes the statement skip locked tables. MariaDB opens every table for every query on
 * information_schema and would wait for each locked one, which adds up to minutes.
 */
export function withoutWaiting(text: string, { isMariadb }: ServerFacts): string {
  return isMariadb ? `SET STATEMENT lock_wait_timeout = 0 FOR ${text.trimStart()}` : text;
}

const lockWaitTimeout = 1205;

interface RelationList {
  readonly found: readonly CatalogRelation[];
  readonly locked: ReadonlySet<string>;
}

async function withLockedTables(
  session: Session,
  found: readonly CatalogRelation[],
  { isMariadb }: ServerFacts,
): Promise<RelationList> {
  return { found, locked: isMariadb ? await lockedTablesOf(session, found) : new Set() };
}

/**
 * The tables that MariaDB could not open: they have no engine, and the error as their comment. SHOW
 * WARNINGS has the error code, so this must run right after the statement that lists the tables.
 */
async function lockedTablesOf(
  session: Session,
  found: readonly CatalogRelation[],
): Promise<ReadonlySet<string>> {
  const unopened = found.filter(
    ({ type, engine }) => type === 'BASE TABLE' && engine === undefined,
  );
  if (unopened.length === 0) return new Set();
  const { rows } = await session.run({ text: 'SHOW WARNINGS', params: [] });
  const isLock = rows.some(([, code]) => Number(code) === lockWaitTimeout);
  return new Set(isLock ? unopened.map(({ name }) => name) : []);
}

/** The catalog's rows for one table. */
export interface TableCatalog {
  readonly type: string;
  readonly columns: readonly CatalogColumn[];
  readonly indexParts: readonly CatalogIndexPart[];
  /** Checks that mark JSON columns (MariaDB). */
  readonly checks: readonly Pick<CatalogCheck, 'expression'>[];
}

/** Undefined if the table does not exist. */
export async function readTableCatalog(
  session: Session,
  server: ServerFacts,
  name: string,
): Promise<TableCatalog | undefined> {
  const query = async <T extends { readonly table: string } | CatalogRelation>(
    text: string,
    read: (values: readonly Value[]) => T,
  ): Promise<readonly T[]> => {
    const { rows } = await session.run({ text: text + everyRow, params: [name] });
    // The condition may ignore case, so it can match several tables whose names differ in case only.
    return rows.map(read).filter((found) => ('table' in found ? found.table : found.name) === name);
  };
  const [relation] = await query(relations(byTableName), readRelation);
  if (relation === undefined) return undefined;
  return {
    type: relation.type,
    columns: await query(columns(server.isMariadb ? 'NULL' : 'srs_id', byTableName), readColumn),
    indexParts: await query(indexParts(server, byTableName), readIndexPart),
    checks: server.isMariadb ? await query(mariadbChecks(byTableName), readCheck) : [],
  };
}

const byTableName = ' AND table_name = ?';

/** Overrides sql_select_limit, which a trigger or a function in a view may have set. */
export const everyRow = '\nLIMIT 18446744073709551615';

function optional(value: Value | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

const relations = (which = ''): string => `
SELECT table_name, table_type, engine, table_collation, table_comment, create_options
FROM information_schema.tables WHERE table_schema = DATABASE()${which} ORDER BY table_name`;

function readRelation([
  name,
  type,
  engine,
  collation,
  comment,
  createOptions,
]: readonly Value[]): CatalogRelation {
  return {
    name: String(name),
    type: String(type),
    engine: optional(engine),
    collation: optional(collation),
    comment: String(comment ?? ''),
    createOptions: String(createOptions ?? ''),
  };
}

const columns = (referenceSystem: string, which = ''): string => `
SELECT table_name, column_name, column_default, is_nullable, column_type, collation_name, extra, column_comment,
  generation_expression, ${referenceSystem}
FROM information_schema.columns WHERE table_schema = DATABASE()${which} ORDER BY table_name, ordinal_position`;

function readColumn(values: readonly Value[]): CatalogColumn {
  const [
    table,
    name,
    preset,
    nullable,
    type,
    collation,
    extra,
    comment,
    generation,
    referenceSystem,
  ] = values;
  return {
    table: String(table),
    name: String(name),
    default: optional(preset),
    nullable: nullable === 'YES',
    type: String(type),
    collation: optional(collation),
    extra: String(extra ?? ''),
    comment: String(comment ?? ''),
    generation: String(generation ?? ''),
    referenceSystem: optional(referenceSystem),
  };
}

/** Whether MariaDB supports ignored indexes, which it does since 10.6. */
function supportsIgnoredIndexes(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 10 || (major === 10 && minor >= 6);
}

/** Expressions for catalog columns that exist in only one of the two servers, or under another name. */
export function indexExtras({ isMariadb, version }: ServerFacts): readonly [string, string] {
  if (!isMariadb) return ['expression', "is_visible = 'NO'"];
  return ['NULL', supportsIgnoredIndexes(version) ? "ignored = 'YES'" : '0'];
}

const indexParts = (server: ServerFacts, which = ''): string => `
SELECT table_name, index_name, non_unique, column_name, collation, sub_part, index_type, index_comment, ${indexExtras(server).join(', ')}
FROM information_schema.statistics WHERE table_schema = DATABASE()${which} ORDER BY table_name, index_name, seq_in_index`;

function readIndexPart(values: readonly Value[]): CatalogIndexPart {
  const [table, index, nonUnique, column, order, prefixLength, method, comment, ...more] = values;
  const [expression, isHidden] = more;
  return {
    table: String(table),
    index: String(index),
    unique: Number(nonUnique) === 0,
    column: optional(column),
    descending: order === 'D',
    prefixLength: prefixLength === null ? undefined : Number(prefixLength),
    method: String(method),
    comment: String(comment ?? ''),
    expression: optional(expression),
    invisible: Number(isHidden) === 1,
  };
}

const keyParts = `
SELECT table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name
FROM information_schema.key_column_usage
WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
ORDER BY table_name, constraint_name, ordinal_position`;

function readKeyPart(values: readonly Value[]): CatalogKeyPart {
  const [table, constraint, column, targetDatabase, targetTable, targetColumn] = values.map(String);
  return {
    table: table ?? '',
    constraint: constraint ?? '',
    column: column ?? '',
    targetDatabase: targetDatabase ?? '',
    targetTable: targetTable ?? '',
    targetColumn: targetColumn ?? '',
  };
}

const keyRules = `
SELECT table_name, constraint_name, update_rule, delete_rule
FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE()`;

function readKeyRules(values: readonly Value[]): CatalogKeyRules {
  const [table, constraint, onUpdate, onDelete] = values.map(String);
  return {
    table: table ?? '',
    constraint: constraint ?? '',
    onUpdate: onUpdate ?? '',
    onDelete: onDelete ?? '',
  };
}

const mariadbChecks = (which = ''): string => `
SELECT table_name, constraint_name, check_clause, 'YES'
FROM information_schema.check_constraints WHERE constraint_schema = DATABASE()${which}`;

const mysqlChecks = `
SELECT t.table_name, t.constraint_name, c.check_clause, t.enforced
FROM information_schema.table_constraints t
JOIN information_schema.check_constraints c USING (constraint_schema, constraint_name)
WHERE t.constraint_schema = DATABASE() AND t.constraint_type = 'CHECK' ORDER BY t.table_name, t.constraint_name`;

function readCheck(values: readonly Value[]): CatalogCheck {
  const [table, constraint, expression, enforced] = values.map(String);
  return {
    table: table ?? '',
    constraint: constraint ?? '',
    expression: expression ?? '',
    enforced: enforced !== 'NO',
  };
}

const views =
  'SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = DATABASE()';
