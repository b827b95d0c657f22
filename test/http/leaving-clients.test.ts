import { test } from 'vitest';
import { expectNothingLeft } from './leaving-clients.ts';
import { leavingPlaces, openPlace } from './leaving-places.ts';

test.skipIf(process.platform !== 'linux').for(leavingPlaces)(
  '%s: clients that leave requests of any route leave nothing else',
  async (name, context) => {
    const place = await openPlace(name, context);
    await expectNothingLeft(place, { bursts: 1, clients: 60, rehearsed: 'all but exports' });
  },
);
