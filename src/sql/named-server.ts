/** Comments at the head of scripts that name the server for which they are written. */

const labels = [
  'DB Server',
  'Database Server',
  'Target Server Type',
  'Target DBMS',
  'DBMS name',
  'DBMS',
  'RDBMS',
].join('|');

/**
 * Matches comments such as `DB Server: PostgreSql` of Chinook, `Target Server Type : MySQL` of Navicat,
 * `Target DBMS: PostgreSQL 9` of DeZign, `DBMS name: MySQL 5.0` of PowerDesigner, and the first line of
 * Adminer. `server` is a pattern for the names of a server.
 */
export function namesServer(server: string): RegExp {
  const label = String.raw`(?:(?:${labels})[ \t]*:[ \t]*|Adminer [\d.]+(?:-\w+)? )`;
  return new RegExp(String.raw`^[ \t*#/-]*${label}(?:${server})\b`, 'im');
}
