import { pickOne } from '../../../databases/altered-ddl/expand.ts';
import type { Pick } from '../../../databases/altered-ddl/expand.ts';
import type { Step } from './model.ts';

function quoted(name: string): string {
  return `\`${name}\``;
}

/** The step as a statement of MariaDB that does nothing if it is not needed. */
export function mariadbStep({ kind, table, name, creates }: Step, pick: Pick): string {
  const on = quoted(table);
  const it = quoted(name);
  if (kind === 'table')
    return creates
      ? `CREATE TABLE IF NOT EXISTS ${on} (id int NOT NULL)`
      : `DROP TABLE IF EXISTS ${on}`;
  const alter = `ALTER TABLE IF EXISTS ${on}`;
  if (kind === 'column')
    return creates
      ? pickOne(pick, [
          `${alter} ADD COLUMN IF NOT EXISTS ${it} varchar(20) CHECK (${it} <> '')`,
          `${alter} ADD IF NOT EXISTS (${it} varchar(20))`,
          `${alter} ADD COLUMN IF NOT EXISTS ${it} text, MODIFY COLUMN IF EXISTS nothing int`,
        ])
      : pickOne(pick, [
          `${alter} DROP COLUMN IF EXISTS ${it}`,
          `${alter} DROP IF EXISTS ${it}`,
          `${alter} CHANGE COLUMN IF EXISTS nothing other int, DROP IF EXISTS ${it}`,
        ]);
  if (kind === 'index')
    return creates
      ? pickOne(pick, [
          `${alter} ADD INDEX IF NOT EXISTS ${it} (id)`,
          `${alter} ADD KEY IF NOT EXISTS ${it} (id)`,
          `${alter} ADD UNIQUE INDEX IF NOT EXISTS ${it} (id)`,
        ])
      : pickOne(pick, [
          `${alter} DROP INDEX IF EXISTS ${it}`,
          `${alter} DROP KEY IF EXISTS ${it}, RENAME COLUMN IF EXISTS nothing TO other`,
        ]);
  return creates
    ? `${alter} ADD CONSTRAINT IF NOT EXISTS ${it} CHECK (id > 0)`
    : `${alter} DROP CONSTRAINT IF EXISTS ${it}`;
}
