/** Errors that take long to occur: a request waits for a lock for up to five seconds. */
import { afterAll, describe, test } from 'vitest';
import { errorsOf } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { provocationOf } from './errors.ts';
import { createSituations, expectFailure, provoke } from './situations.ts';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';

const situations = createSituations();

afterAll(() => situations.close());

const slow = (Object.entries<Route>(routes) as [RouteId, Route][]).flatMap(([id, route]) =>
  errorsOf(route).flatMap((code) => {
    const provocation = provocationOf(id, code);
    return provocation?.on === 'locked' ? [{ id, route, code, provocation }] : [];
  }),
);

describe('while another process holds the database', () => {
  test.each(slow)('$id answers $code', async ({ route, code, provocation }) => {
    expectFailure(await provoke(situations, route, provocation), code);
  });
});
