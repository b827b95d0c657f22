/** Which of a column's native types another database has too. */
import { postgresQuoteName } from './quote.ts';
import type { Column, ColumnType, EnumType, Schema } from '../../../model/schema.ts';

/** Those that come with the server, as format_type spells them without sizes. */
const builtin: ReadonlySet<string> = new Set(
  [
    'bigint, bit, bit varying, boolean, box, bytea, "char", character, character varying, cid, cidr, circle, date',
    'double precision, inet, integer, json, jsonb, jsonpath, line, lseg, macaddr, macaddr8, money, name, numeric, oid',
    'path, pg_lsn, pg_snapshot, point, polygon, real, regclass, regcollation, regconfig, regdictionary, regnamespace',
    'regoper, regoperator, regproc, regprocedure, regrole, regtype, smallint, text, tid, tsquery, tsvector, uuid, xid',
    'xid8, xml, txid_snapshot, refcursor, int2vector, oidvector, interval, time, timestamp, aclitem',
    'int4range, int8range, numrange, tsrange, tstzrange, daterange',
    'int4multirange, int8multirange, nummultirange, tsmultirange, tstzmultirange, datemultirange',
  ].flatMap((line) => line.split(', ')),
);

/** Types of the extensions that come with PostgreSQL or are much used with it. */
const extensionTypes: Readonly<Record<string, string>> = {
  citext: 'citext',
  hstore: 'hstore',
  ltree: 'ltree',
  lquery: 'ltree',
  ltxtquery: 'ltree',
  cube: 'cube',
  seg: 'seg',
  isbn: 'isn',
  isbn13: 'isn',
  issn: 'isn',
  ean13: 'isn',
  upc: 'isn',
  lo: 'lo',
  geometry: 'postgis',
  geography: 'postgis',
  raster: 'postgis_raster',
  vector: 'vector',
  halfvec: 'vector',
  sparsevec: 'vector',
};

export function nativeType(column: Column, schema: Schema): string | undefined {
  const { type, nativeType: spelled } = column;
  const named = enumSpelling(type, spelled, schema.enums);
  if (named !== undefined) return named;
  const bare = spelled
    .replaceAll('[]', '')
    .replace(/\([^)]*\)/, '')
    .replace(/ with(?:out)? time zone$/, '')
    .trim();
  if (builtin.has(bare) || bare.startsWith('interval ')) return spelled;
  const extension = extensionTypes[bare.replace(/^.*\./, '')];
  const isThere =
    extension !== undefined && schema.surroundings?.extensions.includes(extension) === true;
  return isThere ? spelled : undefined;
}

/** By its namespace, which whoever runs the statement need not look into. */
function enumSpelling(
  type: ColumnType,
  spelled: string,
  enums: readonly EnumType[],
): string | undefined {
  if (type.kind === 'array') {
    const of = enumSpelling(type.of, spelled.replace(/\[\]$/, ''), enums);
    return of === undefined ? undefined : `${of}[]`;
  }
  if (type.kind !== 'enum' || type.name === undefined) return undefined;
  const found = enumOf(type.name, spelled, enums);
  return found === undefined ? undefined : enumName(found);
}

/** Of several of that name, the one whose namespace is spelled. */
function enumOf(name: string, spelled: string, enums: readonly EnumType[]): EnumType | undefined {
  const candidates = enums.filter((type) => type.name === name);
  const namespace = namespaceIn(spelled) ?? 'public';
  return candidates.find((type) => type.namespace === namespace) ?? candidates[0];
}

/** Of `sales.mood` and `"odd space"."mood"`; undefined of `mood`. */
function namespaceIn(spelled: string): string | undefined {
  const [first = '', second] = spelled.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [];
  return second === undefined ? undefined : first.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"');
}

export function enumName({ name, namespace }: Pick<EnumType, 'name' | 'namespace'>): string {
  const prefix = namespace === undefined ? '' : `${postgresQuoteName(namespace)}.`;
  return prefix + postgresQuoteName(name);
}
