import { runKeeper } from './shared-server.ts';
import { startMariadb } from './start-mariadb.ts';

/** Runs a MariaDB server while a test run is alive. */
await runKeeper(async () => {
  const server = await startMariadb();
  const { port, user, password, crashed } = server;
  return { state: { port, user, password }, crashed, remove: () => server.remove() };
});
process.exit(0);
