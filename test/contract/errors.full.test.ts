/** Errors that take long to occur: a request waits for a lock for up to five seconds. */
import { afterAll, describe, test } from 'vitest';
import { errorsOf } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { failingRequestOf } from './errors.ts';
import { createStudioStates, expectFailure, sendIn } from './studio-states.ts';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';

const states = createStudioStates();

afterAll(() => states.close());

const slow = (Object.entries<Route>(routes) as [RouteId, Route][]).flatMap(([id, route]) =>
  errorsOf(route).flatMap((code) => {
    const request = failingRequestOf(id, code);
    return request?.on === 'locked' ? [{ id, route, code, request }] : [];
  }),
);

describe('while another process holds the database', () => {
  test.each(slow)('$id responds with $code', async ({ route, code, request }) => {
    expectFailure(await sendIn(states, route, request), code);
  });
});
