/**
 * Names that the server's own catalog may have too. It looks into pg_catalog before the schemas of the search path, so
 * without a schema such a name is that of its own object.
 */
import { words } from '../../../portable/lexer/words.ts';

/** Only the server and the extension Citus create relations there. */
export function mayBeCatalogRelation(name: string): boolean {
  return /^(?:pg|citus)_/.test(name);
}

const typeNames: ReadonlySet<string> = new Set(
  [
    'aclitem any anyarray anycompatible anycompatiblearray anycompatiblemultirange anycompatiblenonarray',
    'anycompatiblerange anyelement anyenum anymultirange anynonarray anyrange bit bool box bpchar bytea char cid cidr',
    'circle cstring date datemultirange daterange event_trigger fdw_handler float4 float8 gtsvector index_am_handler',
    'inet int2 int2vector int4 int4multirange int4range int8 int8multirange int8range internal interval json jsonb',
    'jsonpath language_handler line lseg macaddr macaddr8 money name numeric nummultirange numrange oid oidvector opaque',
    'path point polygon record refcursor regclass regcollation regconfig regdictionary regnamespace regoper regoperator',
    'regproc regprocedure regrole regtype table_am_handler text tid time timestamp timestamptz timetz trigger',
    'tsm_handler tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector txid_snapshot unknown uuid varbit varchar',
    'void xid xid8 xml',
  ].flatMap((line) => words(line)),
);

/** A relation is a type too, and the array of a type has its name after an underscore. */
export function mayBeCatalogType(name: string): boolean {
  const element = name.replace(/^_/, '');
  return typeNames.has(element) || mayBeCatalogRelation(element);
}

/** Where unqualified names of a new database are. */
export const defaultNamespace = 'public';
