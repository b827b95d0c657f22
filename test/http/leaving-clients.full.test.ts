import { test } from 'vitest';
import { expectNothingLeft } from './leaving-clients.ts';
import { leavingPlaces, openPlace } from './leaving-places.ts';

const minutes = 60_000;

test.skipIf(process.platform !== 'linux').for(leavingPlaces)(
  '%s: clients that leave in thousands leave nothing else',
  { timeout: 20 * minutes },
  async (name, context) => {
    const place = await openPlace(name, context);
    await expectNothingLeft(place, { bursts: 4, clients: 500, rehearsed: 'all' });
  },
);
