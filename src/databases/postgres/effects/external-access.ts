import type { Session } from '../../../model/database.ts';

/** Superusers can access everything. Others need a role, or EXECUTE on a function that has access. */
export const externalAccessQuery = `SELECT
  EXISTS (SELECT FROM pg_catalog.pg_roles r
    WHERE (r.rolsuper OR r.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
    AND pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER'))
  OR EXISTS (SELECT FROM pg_catalog.pg_proc p
    WHERE (p.proname ~ '^(dblink|pg_read_|pg_file_)' OR p.proname IN ('pg_ls_dir', 'pg_stat_file', 'lo_import', 'lo_export'))
    AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'))
  OR EXISTS (SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
    WHERE NOT l.lanpltrusted AND l.lanname NOT IN ('c', 'internal') AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'))`;

/** Whether the login can access files, programs or the network of the server with a function. */
export async function hasExternalAccess(session: Session): Promise<boolean> {
  const { rows } = await session.run({ text: externalAccessQuery, params: [] });
  return rows[0]?.[0] === true;
}
