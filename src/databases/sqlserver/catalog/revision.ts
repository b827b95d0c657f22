import { sqlserverDdl } from '../dialect/ddl.ts';
import type { Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';

const hashed = (...columns: readonly string[]): string =>
  `CONCAT(COUNT_BIG(*), N':', SUM(CAST(CAST(SUBSTRING(HASHBYTES('SHA2_256', CONCAT(${columns.join(", N'|', ")})), 1, 6) AS bigint) AS decimal(38))))`;

const columns = hashed(
  'k.object_id',
  'k.column_id',
  'k.name',
  'k.user_type_id',
  'k.max_length',
  'k.precision',
  'k.scale',
  'k.is_nullable',
  'k.is_identity',
  'k.is_computed',
  'k.default_object_id',
  'k.collation_name',
);

const indexes = hashed(
  'x.object_id',
  'x.index_id',
  'x.name',
  'x.is_unique',
  'x.is_primary_key',
  'x.filter_definition',
  'y.key_ordinal',
  'y.column_id',
);

const indexTables = `sys.indexes x JOIN sys.index_columns y ON y.object_id = x.object_id AND y.index_id = x.index_id`;

/** Babelfish does not concatenate the type `char` of the column. */
const objectType = 'CAST(o.type AS nvarchar(2))';

/** An expression that identifies the definition of the table `o` in sys.objects. */
export const revision = `CONCAT(o.object_id, N' ', ${objectType}, N' ', CONVERT(nvarchar(30), o.modify_date, 126), N' ',
  (SELECT ${columns} FROM sys.columns k WHERE k.object_id = o.object_id), N' ',
  (SELECT ${indexes} FROM ${indexTables} WHERE x.object_id = o.object_id))`;

const { quoteName } = sqlserverDdl;

export async function revisionOf(
  session: Session,
  { namespace, localName }: Table,
): Promise<string | undefined> {
  const name = [namespace, localName].filter((part) => part !== undefined).map(quoteName);
  const { rows } = await session.run({
    text: `SELECT ${revision} FROM sys.objects o WHERE o.object_id = OBJECT_ID(@p1)`,
    params: [name.join('.')],
  });
  return rows[0] === undefined ? undefined : String(rows[0][0]);
}

/** modify_date changes with most ALTER statements; the other parts cover the rest. */
const versionParts = [
  'SCHEMA_NAME()',
  `(SELECT ${hashed('o.object_id', 'o.name', 'o.schema_id', objectType, 'CONVERT(nvarchar(30), o.modify_date, 126)')} FROM sys.objects o WHERE o.is_ms_shipped = 0)`,
  `(SELECT ${columns} FROM sys.columns k JOIN sys.objects o ON o.object_id = k.object_id WHERE o.is_ms_shipped = 0)`,
  `(SELECT ${indexes} FROM ${indexTables} JOIN sys.objects o ON o.object_id = x.object_id WHERE o.is_ms_shipped = 0)`,
  `(SELECT ${hashed('e.class', 'e.major_id', 'e.minor_id', 'e.name', 'CAST(e.value AS nvarchar(3000))')} FROM sys.extended_properties e)`,
  `(SELECT ${hashed('s.schema_id', 's.name')} FROM sys.schemas s)`,
];

const versionQuery = `SELECT CONCAT(${versionParts.join(", N' ',\n  ")})`;

/** The version of the whole structure. */
export async function readVersion(session: Session): Promise<string> {
  const query = { text: versionQuery, params: [] };
  const { rows } = await session.run(query, { limitMs: versionLimitMs });
  return String(rows[0]?.[0]);
}

const versionLimitMs = 10_000;
