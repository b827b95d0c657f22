/** Runs a PostgreSQL server while a test run is alive. */
import { startPostgres } from './embedded-postgres.ts';
import { runKeeper } from './shared-server.ts';

await runKeeper(async () => {
  const server = await startPostgres();
  const { port, user, password, socketDirectory } = server;
  return { state: { port, user, password, socketDirectory }, remove: () => server.remove() };
});
process.exit(0);
