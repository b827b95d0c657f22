import { hash } from 'node:crypto';
import {
  everyRow,
  indexExtras,
  readTableCatalog,
  viewAlgorithm,
  withoutWaiting,
} from './catalog.ts';
import { rowsByColumnName } from '../../catalog-query.ts';
import { quoteName } from '../dialect/ddl.ts';
import type { Query, Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { TableCatalog } from './catalog.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

/** Identifies the definition of a table by a hash of its kind, its columns (and which are JSON) and its indexes. */
export function revisionFrom({ type, columns, indexParts, checks }: TableCatalog): string {
  const documents = checks
    .map(({ expression }) => expression)
    .filter((expression) => expression.startsWith('json_valid('))
    .toSorted();
  return hash('sha256', JSON.stringify([type, columns, indexParts, documents]), 'base64url');
}

/**
 * Returns a function that reads the revision of a table. information_schema takes several times as
 * long as SHOW CREATE TABLE, so it is read only when that text has changed.
 */
export function createRevisionReader(
  server: ServerInfo,
): (session: Session, table: Table) => Promise<string | undefined> {
  const last = new WeakMap<Table, { readonly text: string; readonly revision: string }>();
  return async (session, table) => {
    // The definition of a view contains no types.
    const text = table.kind === 'view' ? undefined : await definitionOf(session, table);
    const lastRead = last.get(table);
    if (text !== undefined && lastRead?.text === text) return lastRead.revision;
    const catalog = await readTableCatalog(session, server, table.localName);
    if (catalog === undefined) return undefined;
    const revision = revisionFrom(catalog);
    if (text !== undefined) last.set(table, { text, revision });
    return revision;
  };
}

/** Undefined if the login may not see it, for example with privileges on single columns only. */
async function definitionOf(session: Session, { localName }: Table): Promise<string | undefined> {
  const query = { text: `SHOW CREATE TABLE ${quoteName(localName)}`, params: [] };
  const { columns, rows } = await session.run(query).catch(() => ({ columns: [], rows: [] }));
  const [definition] = rowsByColumnName(columns, rows);
  // The AUTO_INCREMENT counter is not part of the definition.
  return definition === undefined
    ? undefined
    : String(definition['Create Table']).replace(/ AUTO_INCREMENT=\d+/, '');
}

const digest = (...columns: readonly string[]): string => {
  const text = `CONCAT_WS('|', ${columns.map((column) => `COALESCE(HEX(${column}), '-')`).join(', ')})`;
  return `SELECT CONCAT(COUNT(*), ':', SUM(CAST(CONV(LEFT(SHA2(${text}, 256), 12), 16, 10) AS UNSIGNED)))`;
};

/** Returns one row for each part of the catalog that introspection reads. HEX in the digest distinguishes names by case. */
function versionQuery(server: ServerInfo): Query {
  const { isMariadb } = server;
  const { expression, isInvisible } = indexExtras(server);
  const parts = [
    `${digest('table_name', 'table_type', 'engine', 'table_collation', 'table_comment', 'create_options')}
FROM information_schema.tables WHERE table_schema = DATABASE()`,
    `${digest('table_name', 'column_name', 'ordinal_position', 'column_default', 'is_nullable', 'column_type', 'collation_name', 'extra', 'column_comment', 'generation_expression')}
FROM information_schema.columns WHERE table_schema = DATABASE()`,
    `${digest('table_name', 'index_name', 'seq_in_index', 'non_unique', 'column_name', 'collation', 'sub_part', 'index_type', 'index_comment', expression, isInvisible)}
FROM information_schema.statistics WHERE table_schema = DATABASE()`,
    `${digest('table_name', 'constraint_name', 'column_name', 'ordinal_position', 'referenced_table_schema', 'referenced_table_name', 'referenced_column_name')}
FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL`,
    `${digest('table_name', 'constraint_name', 'update_rule', 'delete_rule')}
FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE()`,
    isMariadb
      ? `${digest('table_name', 'constraint_name', 'check_clause')}
FROM information_schema.check_constraints WHERE constraint_schema = DATABASE()`
      : `${digest('t.table_name', 't.constraint_name', 'c.check_clause', 't.enforced')}
FROM information_schema.table_constraints t
JOIN information_schema.check_constraints c USING (constraint_schema, constraint_name)
WHERE t.constraint_schema = DATABASE() AND t.constraint_type = 'CHECK'`,
    `${digest('table_name', 'view_definition', 'check_option', 'security_type', viewAlgorithm(server))}
FROM information_schema.views WHERE table_schema = DATABASE()`,
    `${digest('event_object_table', 'trigger_name', 'action_statement')} FROM information_schema.triggers WHERE event_object_schema = DATABASE()`,
    `${digest('routine_type', 'routine_name', 'routine_definition')} FROM information_schema.routines WHERE routine_schema = DATABASE()`,
  ];
  return { text: withoutWaiting(parts.join('\nUNION ALL ') + everyRow, server), params: [] };
}

/** The version of the whole structure. */
export async function readVersion(session: Session, server: ServerInfo): Promise<string> {
  const { rows } = await session.run(versionQuery(server), { limitMs: versionLimitMs });
  return rows.map(([part]) => String(part)).join(' ');
}

const versionLimitMs = 10_000;
