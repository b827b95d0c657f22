/** Keeps a PostgreSQL server for as long as a test run lives. */
import { startPostgres } from './embedded-postgres.ts';
import { keepServer } from './kept-server.ts';

await keepServer(async () => {
  const server = await startPostgres();
  const { port, user, password, socketDirectory } = server;
  return { state: { port, user, password, socketDirectory }, remove: () => server.remove() };
});
process.exit(0);
