import { mayConstraintsRejectNull } from '../../constraints-on-null.ts';
import type { Session } from '../../../model/database.ts';
import type { RowChange } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';

/** The history of a system-versioned table (MariaDB) has a row for each update. */
const triggersQuery = `
SELECT EXISTS (
  SELECT 1 FROM information_schema.triggers
  WHERE event_object_schema = DATABASE() AND event_object_table = ? AND FIND_IN_SET(event_manipulation, ?)
) OR EXISTS (
  SELECT 1 FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_name = ? AND table_type = 'SYSTEM VERSIONED'
)`;

/** As far as the login may see the triggers. */
export async function runsTriggers(
  session: Session,
  { localName }: Table,
  changes: readonly RowChange[],
): Promise<boolean> {
  const events = changes.map((change) => change.toUpperCase()).join(',');
  const { rows } = await session.run({
    text: triggersQuery,
    params: [localName, events, localName],
  });
  return Number(rows[0]?.[0]) === 1;
}

const privilegeQuery = `
SELECT EXISTS (
  SELECT 1 FROM information_schema.user_privileges WHERE privilege_type = 'TRIGGER'
  UNION ALL SELECT 1 FROM information_schema.schema_privileges
  WHERE privilege_type = 'TRIGGER' AND DATABASE() LIKE table_schema
  UNION ALL SELECT 1 FROM information_schema.table_privileges
  WHERE privilege_type = 'TRIGGER' AND table_schema = DATABASE() AND table_name = ?
)`;

/** A login without the TRIGGER privilege sees no triggers, which may reject NULL too. */
export async function mayRejectNull(
  session: Session,
  table: Table,
  columns: readonly string[],
): Promise<boolean> {
  if (mayConstraintsRejectNull(table, columns, false)) return true;
  const { rows } = await session.run({ text: privilegeQuery, params: [table.localName] });
  return Number(rows[0]?.[0]) !== 1;
}
