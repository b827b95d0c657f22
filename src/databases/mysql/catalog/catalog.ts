import { setTimeout as sleep } from 'node:timers/promises';
import {
  catalogQuery,
  asFlag,
  asOptionalNumber,
  asOptionalText,
  readCatalogRows,
  rowsByColumnName,
  asText,
} from '../../catalog-query.ts';
import type { Session } from '../../../model/database.ts';
import type { CatalogQuery, RowOf } from '../../catalog-query.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

/**
 * Reads one view of information_schema at a time, because MariaDB would open every table again for each
 * row of a join.
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
  /** By name. */
  readonly views: ReadonlyMap<string, CatalogView>;
}

export type CatalogRelation = RowOf<ReturnType<typeof relationsQuery>>;
export type CatalogColumn = RowOf<ReturnType<typeof columnsQuery>>;
export type CatalogIndexPart = RowOf<ReturnType<typeof indexPartsQuery>>;
/** A column of a foreign key. */
export type CatalogKeyPart = RowOf<typeof keyPartsQuery>;
export type CatalogKeyRules = RowOf<typeof keyRulesQuery>;
export type CatalogCheck = RowOf<typeof mysqlChecksQuery>;
export type CatalogView = RowOf<ReturnType<typeof viewsQuery>>;

export async function readCatalog(session: Session, server: ServerInfo): Promise<Catalog> {
  const read = <R>(query: CatalogQuery<R>): Promise<readonly R[]> =>
    readUnlockedRows(session, { ...query, text: query.text + everyRow }, server);
  const [current] = await read(databaseQuery);
  const listRelations = (): Promise<RelationList> =>
    read(relationsQuery()).then((relations) => withLockedTables(session, relations, server));
  let { relations, locked } = await listRelations();
  if (locked.size > 0) {
    // An ALTER TABLE holds its exclusive lock only briefly.
    await sleep(lockRetryMs);
    ({ relations, locked } = await listRelations());
  }
  return {
    database: current?.database ?? '',
    relations,
    locked,
    columns: await read(columnsQuery(server)),
    indexParts: await read(indexPartsQuery(server)),
    keyParts: await read(keyPartsQuery),
    keyRules: await read(keyRulesQuery),
    checks: await read(server.isMariadb ? mariadbChecksQuery() : mysqlChecksQuery),
    views: new Map((await read(viewsQuery(server))).map((view) => [view.name, view])),
  };
}

const lockRetryMs = 500;

/**
 * Makes the statement skip locked tables. MariaDB opens every table for every query on
 * information_schema and would wait for each locked one, which adds up to minutes.
 */
export function withoutWaiting(statement: string, { isMariadb }: ServerInfo): string {
  return isMariadb ? `SET STATEMENT lock_wait_timeout = 0 FOR ${statement.trimStart()}` : statement;
}

/** The rows of a query for the catalog that skips locked tables. */
export function readUnlockedRows<R>(
  session: Session,
  query: CatalogQuery<R>,
  server: ServerInfo,
): Promise<readonly R[]> {
  return readCatalogRows(session, { ...query, text: withoutWaiting(query.text, server) });
}

const lockWaitTimeout = 1205;

interface RelationList {
  readonly relations: readonly CatalogRelation[];
  readonly locked: ReadonlySet<string>;
}

async function withLockedTables(
  session: Session,
  relations: readonly CatalogRelation[],
  { isMariadb }: ServerInfo,
): Promise<RelationList> {
  return { relations, locked: isMariadb ? await lockedTablesOf(session, relations) : new Set() };
}

/**
 * The tables that MariaDB could not open: they have no engine, and the error as their comment. SHOW
 * WARNINGS has the error code, so this must run right after the statement that lists the tables.
 */
async function lockedTablesOf(
  session: Session,
  relations: readonly CatalogRelation[],
): Promise<ReadonlySet<string>> {
  const unopened = relations.filter(
    ({ type, engine }) => type === 'BASE TABLE' && engine === undefined,
  );
  if (unopened.length === 0) return new Set();
  const { columns, rows } = await session.run({ text: 'SHOW WARNINGS', params: [] });
  const warnings = rowsByColumnName(columns, rows);
  const isLock = warnings.some(({ Code: code }) => Number(code) === lockWaitTimeout);
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
  server: ServerInfo,
  name: string,
): Promise<TableCatalog | undefined> {
  const read = async <R extends { readonly table: string } | CatalogRelation>(
    query: CatalogQuery<R>,
  ): Promise<readonly R[]> => {
    const rows = await readCatalogRows(
      session,
      { ...query, text: query.text + everyRow },
      { params: [name] },
    );
    // The condition may ignore case, so it can match several tables whose names differ in case only.
    return rows.filter((row) => ('table' in row ? row.table : row.name) === name);
  };
  const [relation] = await read(relationsQuery(byTableName));
  if (relation === undefined) return undefined;
  return {
    type: relation.type,
    columns: await read(columnsQuery(server, byTableName)),
    indexParts: await read(indexPartsQuery(server, byTableName)),
    checks: server.isMariadb ? await read(mariadbChecksQuery(byTableName)) : [],
  };
}

const byTableName = ' AND table_name = ?';

/** Overrides sql_select_limit, which a trigger or a function in a view may have set. */
export const everyRow = '\nLIMIT 18446744073709551615';

const databaseQuery = catalogQuery(
  { database: asText('DATABASE()') },
  (selectList) => `SELECT ${selectList}`,
);

const relationColumns = {
  name: asText('table_name'),
  type: asText('table_type'),
  engine: asOptionalText('engine'),
  collation: asOptionalText('table_collation'),
  comment: asText('table_comment'),
  createOptions: asText('create_options'),
};

const relationsQuery = (condition = '') =>
  catalogQuery(
    relationColumns,
    (selectList) => `
SELECT ${selectList}
FROM information_schema.tables WHERE table_schema = DATABASE()${condition} ORDER BY table_name`,
  );

const columnColumns = {
  table: asText('table_name'),
  name: asText('column_name'),
  default: asOptionalText('column_default'),
  nullable: asFlag(`is_nullable = 'YES'`),
  type: asText('column_type'),
  collation: asOptionalText('collation_name'),
  /** `auto_increment`, `on update …`, `DEFAULT_GENERATED`, `STORED GENERATED`, `INVISIBLE` … */
  extra: asText('extra'),
  comment: asText('column_comment'),
  generation: asText('generation_expression'),
};

const columnsQuery = ({ isMariadb }: ServerInfo, condition = '') =>
  catalogQuery(
    {
      ...columnColumns,
      /** The SRID that all values of a spatial column must have (MySQL). */
      referenceSystem: asOptionalText(isMariadb ? 'NULL' : 'srs_id'),
    },
    (selectList) => `
SELECT ${selectList}
FROM information_schema.columns WHERE table_schema = DATABASE()${condition} ORDER BY table_name, ordinal_position`,
  );

/** Whether MariaDB supports ignored indexes, which it does since 10.6. */
function supportsIgnoredIndexes(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 10 || (major === 10 && minor >= 6);
}

interface IndexExtras {
  readonly expression: string;
  readonly isInvisible: string;
}

/** Expressions for columns of statistics that exist in only one of the two servers, or under another name. */
export function indexExtras({ isMariadb, version }: ServerInfo): IndexExtras {
  if (!isMariadb) return { expression: 'expression', isInvisible: `is_visible = 'NO'` };
  return {
    expression: 'NULL',
    isInvisible: supportsIgnoredIndexes(version) ? `ignored = 'YES'` : '0',
  };
}

const indexPartColumns = {
  table: asText('table_name'),
  index: asText('index_name'),
  unique: asFlag('non_unique = 0'),
  column: asOptionalText('column_name'),
  descending: asFlag(`collation = 'D'`),
  prefixLength: asOptionalNumber('sub_part'),
  method: asText('index_type'),
  comment: asText('index_comment'),
};

const indexPartsQuery = (server: ServerInfo, condition = '') =>
  catalogQuery(
    {
      ...indexPartColumns,
      expression: asOptionalText(indexExtras(server).expression),
      invisible: asFlag(indexExtras(server).isInvisible),
    },
    (selectList) => `
SELECT ${selectList}
FROM information_schema.statistics WHERE table_schema = DATABASE()${condition} ORDER BY table_name, index_name, seq_in_index`,
  );

const keyPartsQuery = catalogQuery(
  {
    table: asText('table_name'),
    constraint: asText('constraint_name'),
    column: asText('column_name'),
    targetDatabase: asText('referenced_table_schema'),
    targetTable: asText('referenced_table_name'),
    targetColumn: asText('referenced_column_name'),
  },
  (selectList) => `
SELECT ${selectList}
FROM information_schema.key_column_usage
WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
ORDER BY table_name, constraint_name, ordinal_position`,
);

const keyRulesQuery = catalogQuery(
  {
    table: asText('table_name'),
    constraint: asText('constraint_name'),
    onUpdate: asText('update_rule'),
    onDelete: asText('delete_rule'),
  },
  (selectList) =>
    `SELECT ${selectList} FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE()`,
);

/** MariaDB enforces every check. */
const mariadbChecksQuery = (condition = '') =>
  catalogQuery(
    {
      table: asText('table_name'),
      constraint: asText('constraint_name'),
      expression: asText('check_clause'),
      enforced: asFlag('1'),
    },
    (selectList) =>
      `SELECT ${selectList} FROM information_schema.check_constraints WHERE constraint_schema = DATABASE()${condition}`,
  );

const mysqlChecksQuery = catalogQuery(
  {
    table: asText('t.table_name'),
    constraint: asText('t.constraint_name'),
    expression: asText('c.check_clause'),
    enforced: asFlag(`t.enforced <> 'NO'`),
  },
  (selectList) => `
SELECT ${selectList}
FROM information_schema.table_constraints t
JOIN information_schema.check_constraints c USING (constraint_schema, constraint_name)
WHERE t.constraint_schema = DATABASE() AND t.constraint_type = 'CHECK' ORDER BY t.table_name, t.constraint_name`,
);

/** MySQL has no catalog with the algorithm of a view. */
export const viewAlgorithm = ({ isMariadb }: ServerInfo): string =>
  isMariadb ? 'algorithm' : `'UNDEFINED'`;

const viewsQuery = (server: ServerInfo) =>
  catalogQuery(
    {
      name: asText('table_name'),
      definition: asText('view_definition'),
      checkOption: asText('check_option'),
      security: asText('security_type'),
      algorithm: asText(viewAlgorithm(server)),
    },
    (selectList) =>
      `SELECT ${selectList} FROM information_schema.views WHERE table_schema = DATABASE()`,
  );
