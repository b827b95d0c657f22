import { keepServer } from './kept-server.ts';
import { startMariadb } from './start-mariadb.ts';

await keepServer(async () => {
  const { port, socket, user, password, remove } = await startMariadb();
  return { state: { port, socket, user, password }, remove };
});
process.exit(0);
