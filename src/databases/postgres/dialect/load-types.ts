import {
  catalogQuery,
  asFlag,
  asJson,
  asNumber,
  asOptionalText,
  readCatalogRows,
  asText,
} from '../../catalog-query.ts';
import type { Session } from '../../../model/database.ts';
import type { CatalogType } from './types.ts';

const typeColumns = {
  oid: asNumber('t.oid::text'),
  name: asText('t.typname'),
  builtin: asFlag(`t.typnamespace = 'pg_catalog'::regnamespace`),
  kind: asText('t.typtype'),
  element: asNumber(
    `CASE WHEN t.typlen = -1 AND t.typcategory = 'A' AND t.typname NOT IN ('int2vector', 'oidvector') THEN t.typelem ELSE 0 END::text`,
  ),
  base: asNumber('t.typbasetype::text'),
  baseModifier: asNumber('t.typtypmod'),
  typeName: asText('pg_catalog.format_type(t.oid, NULL)'),
  labels: asJson<readonly string[]>(
    `(SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid)::text`,
  ),
  ordered: asFlag(`t.typtype IN ('e', 'r', 'm') OR EXISTS (
    SELECT FROM pg_catalog.pg_opclass o
    JOIN pg_catalog.pg_am a ON a.oid = o.opcmethod
    WHERE a.amname = 'btree' AND o.opcdefault AND o.opcintype = t.oid
  )`),
  qualified: asText(`pg_catalog.format('%I.%I', t.typnamespace::regnamespace::name, t.typname)`),
  // Category Z is internal use.
  family: asOptionalText(`CASE WHEN t.typcategory <> 'Z' THEN (
    SELECT pg_catalog.format('%I.%I', n.nspname, f.typname)
    FROM pg_catalog.pg_cast c
    JOIN pg_catalog.pg_type f ON f.oid = c.casttarget
    JOIN pg_catalog.pg_namespace n ON n.oid = f.typnamespace
    JOIN pg_catalog.pg_opclass o ON o.opcintype = f.oid AND o.opcdefault
    JOIN pg_catalog.pg_am a ON a.oid = o.opcmethod AND a.amname = 'btree'
    WHERE c.castsource = t.oid AND c.castmethod = 'b' AND c.castcontext = 'i'
    ORDER BY f.oid LIMIT 1
  ) END`),
};

/**
 * Types by oid, with the element types of arrays and the base types of domains. Types such as name and
 * point have an element type too, but are not arrays.
 */
const typesByOid = catalogQuery(
  typeColumns,
  (selectList) => `
WITH RECURSIVE used(oid) AS (
  SELECT unnest($1::oid[])
  UNION
  SELECT part.oid FROM used
  JOIN pg_catalog.pg_type t ON t.oid = used.oid
  CROSS JOIN LATERAL (VALUES (t.typelem), (t.typbasetype)) AS part(oid)
  WHERE part.oid <> 0
)
SELECT ${selectList} FROM pg_catalog.pg_type t JOIN used USING (oid)`,
);

export async function loadTypes(
  session: Session,
  oids: readonly number[],
): Promise<readonly CatalogType[]> {
  const types = await readCatalogRows(session, typesByOid, { params: [`{${oids.join(',')}}`] });
  return types.map(({ labels = [], family, ...type }) => ({
    ...type,
    labels,
    ...(family === undefined ? {} : { family }),
  }));
}
