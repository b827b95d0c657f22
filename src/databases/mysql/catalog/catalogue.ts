import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../../../model/database.ts';
import type { Value } from '../../../model/values.ts';
import type { ServerFacts } from '../dialect/server-facts.ts';

/**
 * information_schema, one view at a time: MariaDB would open every table again for each row of a
 * join. Names of result columns are MySQL's in capitals without an alias, so columns go by place.
 */
export interface Catalogue {
  readonly database: string;
  readonly relations: readonly CatalogueRelation[];
  /** Names of tables that another session holds locked, so that the server cannot open them. */
  readonly locked: ReadonlySet<string>;
  readonly columns: readonly CatalogueColumn[];
  readonly indexParts: readonly CatalogueIndexPart[];
  readonly keyParts: readonly CatalogueKeyPart[];
  readonly keyRules: readonly CatalogueKeyRules[];
  readonly checks: readonly CatalogueCheck[];
  /** By name. */
  readonly viewDefinitions: ReadonlyMap<string, string>;
}

export interface CatalogueRelation {
  readonly name: string;
  readonly type: string;
  readonly engine: string | undefined;
  readonly collation: string | undefined;
  readonly comment: string;
  readonly createOptions: string;
}

export interface CatalogueColumn {
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
  /** What all values of a spatial column must have (MySQL). */
  readonly referenceSystem: string | undefined;
}

export interface CatalogueIndexPart {
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
export interface CatalogueKeyPart {
  readonly table: string;
  readonly constraint: string;
  readonly column: string;
  readonly targetDatabase: string;
  readonly targetTable: string;
  readonly targetColumn: string;
}

export interface CatalogueKeyRules {
  readonly table: string;
  readonly constraint: string;
  readonly onUpdate: string;
  readonly onDelete: string;
}

export interface CatalogueCheck {
  readonly table: string;
  readonly constraint: string;
  readonly expression: string;
  readonly enforced: boolean;
}

export async function readCatalogue(session: Session, server: ServerFacts): Promise<Catalogue> {
  const { isMariadb } = server;
  const ask = async <T>(
    text: string,
    read: (values: readonly Value[]) => T,
  ): Promise<readonly T[]> =>
    (await session.run({ text: withoutWaiting(text + everyRow, server), params: [] })).rows.map(
      read,
    );
  const [database = ''] = await ask('SELECT DATABASE()', ([name]) => String(name));
  const listed = (): Promise<Listed> =>
    ask(relations(), readRelation).then((found) => withLocked(session, found, server));
  let { found, locked } = await listed();
  if (locked.size > 0) {
    // An ALTER TABLE holds its exclusive lock only briefly.
    await sleep(lockedAgainMs);
    ({ found, locked } = await listed());
  }
  return {
    database,
    relations: found,
    locked,
    columns: await ask(isMariadb ? columns('NULL') : columns('srs_id'), readColumn),
    indexParts: await ask(indexParts(server), readIndexPart),
    keyParts: await ask(keyParts, readKeyPart),
    keyRules: await ask(keyRules, readKeyRules),
    checks: await ask(isMariadb ? mariadbChecks() : mysqlChecks, readCheck),
    viewDefinitions: new Map(
      await ask(views, ([name, text]) => [String(name), String(text ?? '')] as const),
    ),
  };
}

const lockedAgainMs = 500;

/**
 * MariaDB opens every table for every query on information_schema. Without this it would wait for
 * each locked table in each query, which adds up to minutes.
 */
export function withoutWaiting(text: string, { isMariadb }: ServerFacts): string {
  return isMariadb ? `SET STATEMENT lock_wait_timeout = 0 FOR ${text.trimStart()}` : text;
}

const lockWaitTimeout = 1205;

interface Listed {
  readonly found: readonly CatalogueRelation[];
  readonly locked: ReadonlySet<string>;
}

async function withLocked(
  session: Session,
  found: readonly CatalogueRelation[],
  { isMariadb }: ServerFacts,
): Promise<Listed> {
  return { found, locked: isMariadb ? await lockedAmong(session, found) : new Set() };
}

/**
 * MariaDB opens each table that it lists. One that it cannot open has no engine, and the error for
 * its comment; a warning of the statement names the error. To be asked right after that statement.
 */
async function lockedAmong(
  session: Session,
  found: readonly CatalogueRelation[],
): Promise<ReadonlySet<string>> {
  const unopened = found.filter(
    ({ type, engine }) => type === 'BASE TABLE' && engine === undefined,
  );
  if (unopened.length === 0) return new Set();
  const { rows } = await session.run({ text: 'SHOW WARNINGS', params: [] });
  const isLock = rows.some(([, code]) => Number(code) === lockWaitTimeout);
  return new Set(isLock ? unopened.map(({ name }) => name) : []);
}

/** What the catalog has of one table's own definition. */
export interface TableCatalogue {
  readonly type: string;
  readonly columns: readonly CatalogueColumn[];
  readonly indexParts: readonly CatalogueIndexPart[];
  /** Those that say what is JSON (MariaDB). */
  readonly checks: readonly Pick<CatalogueCheck, 'expression'>[];
}

/** Undefined where there is no such table. */
export async function readTableCatalogue(
  session: Session,
  server: ServerFacts,
  name: string,
): Promise<TableCatalogue | undefined> {
  const ask = async <T extends { readonly table: string } | CatalogueRelation>(
    text: string,
    read: (values: readonly Value[]) => T,
  ): Promise<readonly T[]> => {
    const { rows } = await session.run({ text: text + everyRow, params: [name] });
    // Names that differ in their case alone may be names of several tables.
    return rows.map(read).filter((found) => ('table' in found ? found.table : found.name) === name);
  };
  const [relation] = await ask(relations(one), readRelation);
  if (relation === undefined) return undefined;
  return {
    type: relation.type,
    columns: await ask(columns(server.isMariadb ? 'NULL' : 'srs_id', one), readColumn),
    indexParts: await ask(indexParts(server, one), readIndexPart),
    checks: server.isMariadb ? await ask(mariadbChecks(one), readCheck) : [],
  };
}

const one = ' AND table_name = ?';

/** A trigger or a view's function may have set sql_select_limit: a limit of the statement's own goes before it. */
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
]: readonly Value[]): CatalogueRelation {
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

function readColumn(values: readonly Value[]): CatalogueColumn {
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

/** MariaDB has them since 10.6. */
function ignoresIndexes(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 10 || (major === 10 && minor >= 6);
}

/** The columns that only one of the servers has, or has under another name. */
export function indexExtras({ isMariadb, version }: ServerFacts): readonly [string, string] {
  if (!isMariadb) return ['expression', "is_visible = 'NO'"];
  return ['NULL', ignoresIndexes(version) ? "ignored = 'YES'" : '0'];
}

const indexParts = (server: ServerFacts, which = ''): string => `
SELECT table_name, index_name, non_unique, column_name, collation, sub_part, index_type, index_comment, ${indexExtras(server).join(', ')}
FROM information_schema.statistics WHERE table_schema = DATABASE()${which} ORDER BY table_name, index_name, seq_in_index`;

function readIndexPart(values: readonly Value[]): CatalogueIndexPart {
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

function readKeyPart(values: readonly Value[]): CatalogueKeyPart {
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

function readKeyRules(values: readonly Value[]): CatalogueKeyRules {
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

function readCheck(values: readonly Value[]): CatalogueCheck {
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
