import { catalogQuery, asOptionalText, readCatalogRows, asText } from './catalog-query.ts';
import type { CatalogQuery } from './catalog-query.ts';
import type { Session } from '../model/database.ts';
import type { OtherObject } from '../model/other-objects.ts';

/** The objects of one kind: SQL expressions and the FROM clause of a SELECT. */
export interface ObjectsOfKind {
  readonly kind: string;
  readonly name: string;
  /** The table that the objects belong to. */
  readonly namespace?: string;
  readonly table?: string;
  /** The SELECT from the word FROM. */
  readonly from: string;
}

interface OtherObjectRow {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly table: string | undefined;
}

/** Sorted by kind, table and name. */
export function otherObjectsQuery(kinds: readonly ObjectsOfKind[]): CatalogQuery<OtherObjectRow> {
  const selects = kinds.map(
    ({ kind, name, namespace = 'NULL', table = 'NULL', from }) =>
      `SELECT ${kind} AS kind, ${name} AS name, ${namespace} AS namespace, ${table} AS local_name\n${from}`,
  );
  return catalogQuery(
    {
      kind: asText('o.kind'),
      name: asText('o.name'),
      namespace: asOptionalText('o.namespace'),
      table: asOptionalText('o.local_name'),
    },
    (selectList) => `SELECT ${selectList} FROM (
${selects.join('\nUNION ALL\n')}
) o ORDER BY o.kind, o.namespace, o.local_name, o.name`,
  );
}

export async function readOtherObjects(
  session: Session,
  query: CatalogQuery<OtherObjectRow>,
): Promise<readonly OtherObject[]> {
  const rows = await readCatalogRows(session, query);
  return rows.map(({ kind, name, namespace, table }) => ({
    kind: kind.toLowerCase(),
    name,
    ...(table === undefined
      ? {}
      : { table: { ...(namespace === undefined ? {} : { namespace }), localName: table } }),
  }));
}
