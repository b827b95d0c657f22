/** What the catalog says of the functions that a text may call. */
import { arrayLiteral } from './array-literal.ts';
import type { Session } from '../../model/database.ts';
import type { Mentions } from './mentions.ts';

/** A function that does not only compute, or of which that is not known. */
export interface CalledFunction {
  readonly oid: number;
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly language: string;
  readonly isTrusted: boolean;
  readonly volatility: 'i' | 's' | 'v';
  readonly isTrigger: boolean;
  /** It takes a text and gives rows, as functions do that run a query. */
  readonly mayRunText: boolean;
  /** It acts as its owner. */
  readonly isDefiner: boolean;
  /** What it is made of, where that is text. */
  readonly body: string | null;
}

/** What is to be looked up: by name, or by number where a stored tree refers to it. */
export interface Wanted {
  readonly mentions: Pick<
    Mentions,
    'functions' | 'attributes' | 'operators' | 'relations' | 'written'
  >;
  readonly functions: readonly number[];
  readonly operators: readonly number[];
  readonly relations: readonly number[];
  readonly writtenRelations: readonly number[];
  /** Casts and checks of domains are in no text: they are looked up once. */
  readonly isFirst: boolean;
}

export interface Found {
  readonly functions: readonly CalledFunction[];
  /** System catalogs among the relations that are written to, also by way of views. */
  readonly writtenCatalogs: readonly string[];
  /** What stored trees of views, policies and functions refer to. */
  readonly references: readonly { readonly kind: string; readonly oid: number }[];
}

const firstOwnOid = 16_384;

/**
 * Names are looked up in all schemas, so that no search_path and no function of the same name hides
 * another. Functions in C or of the server that only compute are left out here.
 */
const query = `
WITH named AS (
  SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.proname = ANY ($1::name[])
  UNION
  SELECT p.oid FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_type t ON t.oid = p.proargtypes[0]
  WHERE p.proname = ANY ($2::name[]) AND t.typtype IN ('c', 'p', 'd')
  UNION
  SELECT unnest($3::oid[])
  UNION
  SELECT o.oprcode::oid FROM pg_catalog.pg_operator o
  WHERE o.oid >= ${firstOwnOid} AND (o.oprname = ANY ($4::name[]) OR o.oid = ANY ($5::oid[]))
  UNION
  SELECT c.castfunc FROM pg_catalog.pg_cast c WHERE $10 AND c.oid >= ${firstOwnOid}
), wanted AS (
  SELECT oid FROM named
  UNION
  SELECT unnest(ARRAY[a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn,
    a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn]::oid[])
  FROM named JOIN pg_catalog.pg_aggregate a ON a.aggfnoid = named.oid
), functions AS (
  SELECT p.oid::bigint AS oid, p.proname AS name, p.pronamespace = 'pg_catalog'::regnamespace AS "isBuiltIn",
    l.lanname AS language, l.lanpltrusted AS "isTrusted", p.provolatile AS volatility,
    p.prorettype = 'pg_catalog.trigger'::regtype AS "isTrigger",
    p.proretset AND 'pg_catalog.text'::regtype = ANY (p.proargtypes) AS "mayRunText",
    p.prosecdef AS "isDefiner",
    CASE WHEN l.lanname NOT IN ('c', 'internal') THEN p.prosrc END AS body
  FROM pg_catalog.pg_proc p
  JOIN wanted ON wanted.oid = p.oid
  JOIN pg_catalog.pg_language l ON l.oid = p.prolang
  WHERE p.prokind <> 'a' AND (l.lanname NOT IN ('c', 'internal') OR p.provolatile <> 'i')
), relations AS (
  SELECT c.oid, c.relname = ANY ($8::name[]) OR c.oid = ANY ($9::oid[]) AS written
  FROM pg_catalog.pg_class c
  WHERE c.relname = ANY ($6::name[]) OR c.oid = ANY ($7::oid[])
), trees AS (
  SELECT w.ev_action::text AS tree, r.written
  FROM pg_catalog.pg_rewrite w JOIN relations r ON r.oid = w.ev_class WHERE w.rulename = '_RETURN'
  UNION ALL
  SELECT concat(p.polqual::text, ' ', p.polwithcheck::text), false
  FROM pg_catalog.pg_policy p JOIN relations r ON r.oid = p.polrelid
  UNION ALL
  SELECT to_jsonb(p.*) ->> 'prosqlbody', false FROM pg_catalog.pg_proc p JOIN functions f ON f.oid = p.oid
  WHERE f.body = ''
  UNION ALL
  SELECT p.proargdefaults::text, false FROM pg_catalog.pg_proc p JOIN wanted ON wanted.oid = p.oid
  WHERE p.proargdefaults IS NOT NULL AND p.oid >= ${firstOwnOid}
  UNION ALL
  SELECT c.conbin::text, false FROM pg_catalog.pg_constraint c WHERE $10 AND c.contypid >= ${firstOwnOid}
)
SELECT
  (SELECT json_agg(f) FROM functions f)::text,
  (SELECT json_agg(c.relname) FROM relations r JOIN pg_catalog.pg_class c ON c.oid = r.oid
   WHERE r.written AND c.relkind = 'r' AND c.relnamespace = 'pg_catalog'::regnamespace)::text,
  (SELECT json_agg(DISTINCT jsonb_build_object(
     'kind', CASE WHEN m[1] = 'relid' AND t.written THEN 'written' ELSE m[1] END, 'oid', m[2]::bigint))
   FROM trees t, regexp_matches(t.tree, ':(funcid|opfuncid|aggfnoid|winfnoid|opno|relid) (\\d+)', 'g') m)::text`;

export async function findCalledFunctions(session: Session, wanted: Wanted): Promise<Found> {
  const { mentions, functions, operators, relations, writtenRelations, isFirst } = wanted;
  const lists = [
    [...mentions.functions],
    [...mentions.attributes],
    functions,
    [...mentions.operators],
    operators,
    [...mentions.relations, ...mentions.written],
    [...relations, ...writtenRelations],
    [...mentions.written],
    writtenRelations,
  ];
  const params = [...lists.map((list) => arrayLiteral(JSON.stringify(list.map(String)))), isFirst];
  const { rows } = await session.run({ text: query, params });
  const [found, catalogs, references] = (rows[0] ?? []).map((text) =>
    text === null ? [] : (JSON.parse(String(text)) as unknown),
  );
  return {
    functions: found as Found['functions'],
    writtenCatalogs: catalogs as Found['writtenCatalogs'],
    references: references as Found['references'],
  };
}
