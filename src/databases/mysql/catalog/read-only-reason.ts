import { isOn } from '../driver/session-setup.ts';
import type { Session } from '../../../model/database.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

/**
 * `read_only` has no effect on logins with one of these privileges. A role may have them too, and only
 * SHOW GRANTS knows its privileges, so nothing is claimed of logins with a role.
 */
const exempt = `EXISTS (SELECT 1 FROM information_schema.USER_PRIVILEGES
  WHERE PRIVILEGE_TYPE IN ('SUPER', 'CONNECTION_ADMIN', 'READ_ONLY ADMIN', 'READ ONLY ADMIN')
    AND GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), ''''))`;

/** MySQL returns the text NONE for no role, MariaDB NULL. */
const hasRole = "COALESCE(CURRENT_ROLE(), 'NONE') <> 'NONE'";

/** Why the server takes no writes of this login, such as that it is a replica. */
export async function readOnlyReason(
  session: Session,
  { isMariadb }: ServerInfo,
): Promise<string | undefined> {
  const superReadOnly = isMariadb ? "'OFF'" : '@@GLOBAL.super_read_only';
  const text = `SELECT CAST(@@GLOBAL.innodb_read_only AS CHAR), CAST(${superReadOnly} AS CHAR),
    CAST(@@GLOBAL.read_only AS CHAR), ${exempt} OR ${hasRole}`;
  const { rows } = await session.run({ text, params: [] });
  const [engine, forAll, forMost, isExempt] = rows[0] ?? [];
  if (isOn(engine)) return reasonOf('innodb_read_only');
  if (isOn(forAll)) return reasonOf('super_read_only');
  if (isOn(forMost) && !isOn(isExempt)) return reasonOf('read_only');
  return undefined;
}

function reasonOf(variable: string): string {
  return `The database server is read-only (${variable}).`;
}
