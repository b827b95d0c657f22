import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { expectOutcome, missingFor } from './expected-outcome.ts';
import { goodRequests } from './requests.ts';
import { serve } from './server.ts';
import { removeCapabilities } from './without-capabilities.ts';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import type { Capability } from '../../src/model/capabilities.ts';

const capabilities: readonly Capability[] = ['write', 'load', 'script', 'sql', 'ddl'];

/** Sends the requests of every route to a database without some capabilities. `perRoute` limits their number. */
async function checkWithout(missing: readonly Capability[], perRoute: number): Promise<void> {
  removeCapabilities(missing);
  const has = (name: string): boolean => !missing.some((one) => one === name);
  const served = await serve();
  try {
    const schema = JSON.parse((await served.ask(routes['get-schema'])).text);
    expect(schema.capabilities).toEqual(
      Object.fromEntries([...capabilities, 'gorm'].map((name) => [name, has(name)])),
    );
    const config = JSON.parse((await served.ask(routes['get-config'])).text);
    expect(config).toMatchObject({ read_only: !has('write'), disable_sql: !has('sql') });
    for (const [id, route] of Object.entries<Route>(routes) as [RouteId, Route][])
      for (const request of requestsOf(id, perRoute)) {
        const response = await served.ask(route, request);
        expectOutcome(id, request, { response, missing: missingFor(id, request, has) });
      }
  } finally {
    await served.close();
    removeCapabilities([]);
  }
}

/** Formats differ in what they need, so an export in SQL is always among the requests. */
function requestsOf(id: RouteId, count: number): (typeof goodRequests)[RouteId][number][] {
  return goodRequests[id].filter(
    ({ query = '' }, i) => i < count || query.startsWith('format=sql'),
  );
}

interface Extent {
  readonly runs: number;
  readonly perRoute: number;
}

export function testCapabilities({ runs, perRoute }: Extent): void {
  test('without any subset of the capabilities, every route responds or names what is missing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...capabilities]), (missing) =>
        checkWithout(missing, perRoute),
      ),
      { numRuns: runs, examples: [[[...capabilities]]], endOnFailure: true },
    );
  }, 1_200_000);
}
