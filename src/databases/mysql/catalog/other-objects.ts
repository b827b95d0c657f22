import { otherObjectsQuery, readOtherObjects } from '../../read-other-objects.ts';
import { asText, catalogQuery } from '../../catalog-query.ts';
import { StudioError } from '../../../model/errors.ts';
import { quoteName } from '../dialect/ddl.ts';
import { serverError } from '../dialect/errors.ts';
import { readUnlockedRows, withoutWaiting } from './catalog.ts';
import type { Session } from '../../../model/database.ts';
import type { OtherObject } from '../../../model/other-objects.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

/**
 * Objects that the login may see. The catalog views have different collations, so each name is
 * converted to the same one. AUTO_INCREMENT counters are listed for empty tables only, since the rows
 * determine the others.
 */
const text = (column: string): string => `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`;

const query = otherObjectsQuery([
  {
    kind: text("'trigger'"),
    name: text('trigger_name'),
    table: text('event_object_table'),
    from: 'FROM information_schema.triggers WHERE event_object_schema = DATABASE()',
  },
  {
    kind: text('LOWER(routine_type)'),
    name: text('routine_name'),
    from: 'FROM information_schema.routines WHERE routine_schema = DATABASE()',
  },
  {
    kind: text("'event'"),
    name: text('event_name'),
    from: 'FROM information_schema.events WHERE event_schema = DATABASE()',
  },
  {
    kind: text("'sequence'"),
    name: text('table_name'),
    from: `FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'SEQUENCE'`,
  },
  {
    kind: text("'counter'"),
    name: text("CONCAT('AUTO_INCREMENT=', auto_increment)"),
    table: text('table_name'),
    from: `FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND auto_increment > 1 AND table_rows = 0`,
  },
  {
    kind: text("'attribute'"),
    name: text("'the comment of the primary key'"),
    table: text('table_name'),
    from: `FROM information_schema.statistics
WHERE table_schema = DATABASE() AND index_name = 'PRIMARY' AND seq_in_index = 1 AND index_comment <> ''`,
  },
  {
    kind: text("'attribute'"),
    name: text(
      `CONCAT(CASE WHEN sub_part IS NULL THEN 'DESC' ELSE CONCAT('the length ', sub_part) END, ' of ', column_name, ' in the primary key')`,
    ),
    table: text('table_name'),
    from: `FROM information_schema.statistics
WHERE table_schema = DATABASE() AND index_name = 'PRIMARY' AND (collation = 'D' OR sub_part IS NOT NULL)`,
  },
  // Only SHOW CREATE TABLE has the tables and the server.
  {
    kind: text("'attribute'"),
    name: text(`CASE engine WHEN 'MRG_MyISAM' THEN 'UNION' ELSE 'CONNECTION' END`),
    table: text('table_name'),
    from: `FROM information_schema.tables
WHERE table_schema = DATABASE() AND engine IN ('MRG_MyISAM', 'FEDERATED', 'CONNECT', 'SPIDER')`,
  },
  {
    kind: text("'partition clause'"),
    name: text("'PARTITION BY'"),
    table: text('table_name'),
    from: `FROM information_schema.tables
WHERE table_schema = DATABASE() AND create_options LIKE '%partitioned%'`,
  },
]);

/** Without those of locked tables, on MariaDB. */
export async function otherObjects(
  session: Session,
  server: ServerInfo,
): Promise<readonly OtherObject[]> {
  const found = await readOtherObjects(session, {
    ...query,
    text: withoutWaiting(query.text, server),
  });
  const options = await readTableOptions(session, server);
  if (!server.isMariadb) return [...found, ...options];
  const systems = await readReferenceSystems(session, server);
  return [...found, ...options, ...systems, ...(await readPeriods(session, server))];
}

const tableOptionsQuery = catalogQuery(
  { table: asText('table_name'), options: asText('create_options') },
  (selectList) => `SELECT ${selectList} FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_type <> 'VIEW' AND create_options LIKE '%=%' ORDER BY table_name`,
);

/** `key_block_size=8` and `` `PAGE_COMPRESSED`='1' ``. The schema has the row format. */
async function readTableOptions(
  session: Session,
  server: ServerInfo,
): Promise<readonly OtherObject[]> {
  const rows = await readUnlockedRows(session, tableOptionsQuery, server);
  return rows.flatMap(({ table: localName, options }) =>
    [...options.matchAll(/(`(?:[^`]|``)+`|\w+)=('(?:[^']|'')*'|"[^"]*"|\S+)/g)].flatMap(
      ([, name = '', value = '']) =>
        name.toLowerCase() === 'row_format'
          ? []
          : [{ kind: 'attribute', name: `${name.replaceAll('`', '').toUpperCase()}=${value}`, table: { localName } }], // prettier-ignore
    ),
  );
}

/** MariaDB does not enforce the reference system of a column, and SHOW CREATE TABLE does not have it. */
const referenceSystemsQuery = catalogQuery(
  { table: asText('g_table_name'), column: asText('g_geometry_column'), srid: asText('srid') },
  (selectList) => `SELECT ${selectList} FROM information_schema.geometry_columns
WHERE g_table_schema = DATABASE() AND srid <> 0 ORDER BY g_table_name, g_geometry_column`,
);

async function readReferenceSystems(
  session: Session,
  server: ServerInfo,
): Promise<readonly OtherObject[]> {
  const rows = await readUnlockedRows(session, referenceSystemsQuery, server);
  return rows.map(({ table: localName, column, srid }) => ({
    kind: 'attribute',
    name: `REF_SYSTEM_ID=${srid} (${column})`,
    table: { localName },
  }));
}

/** Tables with a check such as that of a period, which the catalog lists as any other. */
const periodTablesQuery = catalogQuery(
  { table: asText('table_name') },
  (selectList) => `SELECT DISTINCT ${selectList} FROM information_schema.check_constraints
WHERE constraint_schema = DATABASE() AND check_clause LIKE '\`%\` < \`%\`'`,
);

/** Application-time periods of MariaDB. Only SHOW CREATE TABLE has them, before 11.4. */
async function readPeriods(session: Session, server: ServerInfo): Promise<readonly OtherObject[]> {
  const tables = await readUnlockedRows(session, periodTablesQuery, server);
  const periods: OtherObject[] = [];
  for (const { table: localName } of tables) {
    const statement = withoutWaiting(`SHOW CREATE TABLE ${quoteName(localName)}`, server);
    const definition = await session.run({ text: statement, params: [] }).catch(ignoreUnreadable);
    for (const [, name = ''] of String(definition?.rows[0]?.[1]).matchAll(
      /^ *PERIOD FOR `((?:[^`]|``)+)` \(/gm,
    ))
      periods.push({ kind: 'period', name: name.replaceAll('``', '`'), table: { localName } });
  }
  return periods;
}

/** A table that is locked or was just dropped. */
function ignoreUnreadable(error: unknown): undefined {
  const number = serverError(error instanceof StudioError ? error.cause : error)?.errno;
  if (number !== lockWaitTimeout && number !== noSuchTable) throw error;
}

const lockWaitTimeout = 1205;
const noSuchTable = 1146;
