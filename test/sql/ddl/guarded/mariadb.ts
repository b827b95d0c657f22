import { pickOne } from '../../../databases/altered-ddl/expand.ts';
import type { RandomBelow } from '../../../databases/altered-ddl/expand.ts';
import type { Step } from './model.ts';

function quoteName(name: string): string {
  return `\`${name}\``;
}

/** The step as a statement of MariaDB that does nothing if it is not needed. */
export function mariadbStep(
  { kind, table, name, creates }: Step,
  randomBelow: RandomBelow,
): string {
  const quotedTable = quoteName(table);
  const quotedName = quoteName(name);
  if (kind === 'table')
    return creates
      ? `CREATE TABLE IF NOT EXISTS ${quotedTable} (id int NOT NULL)`
      : `DROP TABLE IF EXISTS ${quotedTable}`;
  const alter = `ALTER TABLE IF EXISTS ${quotedTable}`;
  if (kind === 'column')
    return creates
      ? pickOne(randomBelow, [
          `${alter} ADD COLUMN IF NOT EXISTS ${quotedName} varchar(20) CHECK (${quotedName} <> '')`,
          `${alter} ADD IF NOT EXISTS (${quotedName} varchar(20))`,
          `${alter} ADD COLUMN IF NOT EXISTS ${quotedName} text, MODIFY COLUMN IF EXISTS nothing int`,
        ])
      : pickOne(randomBelow, [
          `${alter} DROP COLUMN IF EXISTS ${quotedName}`,
          `${alter} DROP IF EXISTS ${quotedName}`,
          `${alter} CHANGE COLUMN IF EXISTS nothing other int, DROP IF EXISTS ${quotedName}`,
        ]);
  if (kind === 'index')
    return creates
      ? pickOne(randomBelow, [
          `${alter} ADD INDEX IF NOT EXISTS ${quotedName} (id)`,
          `${alter} ADD KEY IF NOT EXISTS ${quotedName} (id)`,
          `${alter} ADD UNIQUE INDEX IF NOT EXISTS ${quotedName} (id)`,
        ])
      : pickOne(randomBelow, [
          `${alter} DROP INDEX IF EXISTS ${quotedName}`,
          `${alter} DROP KEY IF EXISTS ${quotedName}, RENAME COLUMN IF EXISTS nothing TO other`,
        ]);
  return creates
    ? `${alter} ADD CONSTRAINT IF NOT EXISTS ${quotedName} CHECK (id > 0)`
    : `${alter} DROP CONSTRAINT IF EXISTS ${quotedName}`;
}
