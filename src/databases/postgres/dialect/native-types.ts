/** Native types that exist in a database created from a schema: built-in types, its enums, and types of its extensions. */
import { mayBeCatalogType, defaultNamespace } from './catalog-names.ts';
import { postgresQuoteName } from './quote.ts';
import type { Column, ColumnType, EnumType, Schema } from '../../../model/schema.ts';

/** Built-in types as format_type returns them, without sizes. */
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

/** Types of extensions that come with PostgreSQL or are widely used. */
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

/** The column's type, names of enums qualified; undefined if the new database would not have it. */
export function nativeType(column: Column, schema: Schema): string | undefined {
  const { type, nativeType: typeName } = column;
  const enumTypeName = qualifiedEnumName(type, typeName, schema.enums);
  if (enumTypeName !== undefined) return enumTypeName;
  if (isBuiltinType(typeName)) return typeName;
  const extension = extensionOf(typeName);
  const isInstalled =
    extension !== undefined && schema.externalObjects?.extensions.includes(extension) === true;
  return isInstalled ? typeName : undefined;
}

/** Whether format_type returns the text for a built-in type or an array of it. */
export function isBuiltinType(typeName: string): boolean {
  const name = withoutSizes(typeName);
  return builtin.has(name) || name.startsWith('interval ');
}

/** The extension that the type or the elements of the array come from. */
export function extensionOf(typeName: string): string | undefined {
  return extensionTypes[withoutSizes(typeName).replace(/^.*\./, '')];
}

function withoutSizes(typeName: string): string {
  return typeName
    .replaceAll('[]', '')
    .replace(/\([^)]*\)/, '')
    .replace(/ with(?:out)? time zone$/, '')
    .trim();
}

/** The enum type qualified by its namespace, which may not be in the search_path. */
function qualifiedEnumName(
  type: ColumnType,
  typeName: string,
  enums: readonly EnumType[],
): string | undefined {
  if (type.kind === 'array') {
    const of = qualifiedEnumName(type.of, typeName.replace(/\[\]$/, ''), enums);
    return of === undefined ? undefined : `${of}[]`;
  }
  if (type.kind !== 'enum' || type.name === undefined) return undefined;
  const found = enumOf(type.name, typeName, enums);
  return found === undefined ? undefined : enumName(found);
}

/** If several enums have the name, the one in the namespace that the native type names. */
function enumOf(name: string, typeName: string, enums: readonly EnumType[]): EnumType | undefined {
  const candidates = enums.filter((type) => type.name === name);
  const namespace = namespaceIn(typeName) ?? 'public';
  return candidates.find((type) => type.namespace === namespace) ?? candidates[0];
}

/** The namespace in `sales.mood` and `"odd space"."mood"`; undefined for `mood`. */
function namespaceIn(typeName: string): string | undefined {
  const [first = '', second] = typeName.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [];
  return second === undefined ? undefined : first.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"');
}

export function enumName({ name, namespace }: Pick<EnumType, 'name' | 'namespace'>): string {
  const schema = namespace ?? (mayBeCatalogType(name) ? defaultNamespace : undefined);
  const prefix = schema === undefined ? '' : `${postgresQuoteName(schema)}.`;
  return prefix + postgresQuoteName(name);
}
