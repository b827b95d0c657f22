import { noLongerPrimary } from './connection-error.ts';
import { isOn } from './session-setup.ts';
import type { RunOptions } from '../../../model/database.ts';
import type { Connection } from './connection.ts';

const intervalMs = 1000;
const checkedAt = new WeakMap<Connection, number>();

/**
 * A server that is no longer the primary keeps its connections, and what they read grows old. So before a read, at most
 * once a second, a connection that must take writes asks whether its server still does.
 */
export async function mustStillTakeWrites(
  connection: Connection,
  options?: RunOptions,
): Promise<void> {
  if (!connection.mustTakeWrites) return;
  const now = performance.now();
  if (now - (checkedAt.get(connection) ?? -Infinity) < intervalMs) return;
  const superReadOnly = connection.server.isMariadb ? '' : ', @@GLOBAL.super_read_only';
  const text = `SELECT @@GLOBAL.read_only, @@GLOBAL.innodb_read_only${superReadOnly}`;
  const { rows } = await connection.run({ text, params: [] }, options);
  checkedAt.set(connection, now);
  if (!rows[0]?.some(isOn)) return;
  connection.markUnsuitable();
  throw noLongerPrimary();
}
