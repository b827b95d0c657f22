import { test } from 'vitest';
import { expectNothingLeft } from './disconnecting-clients.ts';
import { clientDatabases, openDatabase } from './client-databases.ts';

test.skipIf(process.platform !== 'linux').for(clientDatabases)(
  '%s: clients that disconnect during requests of any route leave nothing behind',
  async (name, context) => {
    const database = await openDatabase(name, context);
    await expectNothingLeft(database, { bursts: 1, clients: 60, warmUp: 'all but exports' });
  },
);
