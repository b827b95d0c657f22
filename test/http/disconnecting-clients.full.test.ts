import { test } from 'vitest';
import { expectNothingLeft } from './disconnecting-clients.ts';
import { clientDatabases, openDatabase } from './client-databases.ts';

const minutes = 60_000;

test.skipIf(process.platform !== 'linux').for(clientDatabases)(
  '%s: thousands of clients that disconnect leave nothing behind',
  { timeout: 20 * minutes },
  async (name, context) => {
    const database = await openDatabase(name, context);
    await expectNothingLeft(database, { bursts: 4, clients: 500, warmUp: 'all' });
  },
);
