/**
 * The cached structure of a server under random interleavings: changes by this studio and by others,
 * reads that take long or fail, and requests in between. The structure is a counter here, so that a
 * result says which changes it has seen.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSchemaCache } from '../../../src/studio/core/schema-cache.ts';
import type { Database } from '../../../src/model/database.ts';
import type { CachedSchema, SchemaCache } from '../../../src/studio/core/schema-cache.ts';
import type { Models } from '../../../src/studio/core/models.ts';

type Step =
  | { readonly kind: 'change' | 'importTables' | 'failNextRead' }
  | { readonly kind: 'current' | 'verified' | 'refresh' }
  | { readonly kind: 'wait'; readonly ticks: number };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>(
    { kind: 'change' },
    { kind: 'importTables' },
    { kind: 'failNextRead' },
    { kind: 'current' },
    { kind: 'verified' },
    { kind: 'refresh' },
  ),
  fc.record({ kind: fc.constant('wait' as const), ticks: fc.integer({ min: 1, max: 20 }) }),
);

async function wait(ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
}

/** A database whose catalog is the number of its changes. */
function counterDatabase(delays: readonly number[]) {
  let changes = 0;
  let failing = 0;
  let reads = 0;
  const delay = (): Promise<void> => wait(delays[(reads += 1) % delays.length] ?? 0);
  const read = async (): Promise<number> => {
    await delay();
    if (failing > 0) {
      failing -= 1;
      throw new Error('The server is gone.');
    }
    const seen = changes;
    await delay();
    return seen;
  };
  const database = {
    isStructureVersionCheap: false,
    structureVersion: async () => String(await read()),
    introspect: async () => ({ tables: [], views: [], changes: await read() }),
  };
  return {
    database: database as unknown as Database,
    changes: () => changes,
    change: () => void (changes += 1),
    failNextRead: () => void (failing += 1),
  };
}

const noModels: Models = { version: () => '', current: () => Promise.resolve([]) };

function changesSeen({ schema }: CachedSchema): number {
  return (schema as unknown as { readonly changes: number }).changes;
}

interface Request {
  readonly kind: string;
  /** The number of changes that its result must show. */
  readonly atLeast: number;
  readonly result: Promise<number | 'failed'>;
}

function ask(
  cache: SchemaCache,
  kind: 'current' | 'verified' | 'refresh',
  atLeast: number,
): Request {
  const result = cache[kind]().then(changesSeen, () => 'failed' as const);
  return { kind, atLeast, result };
}

async function play(
  steps: readonly Step[],
  delays: readonly number[],
): Promise<readonly Request[]> {
  const server = counterDatabase(delays);
  const cache = createSchemaCache(server.database, noModels);
  const requests: Request[] = [];
  /** The changes that this studio had made at its last import: every later request must show them. */
  let imported = 0;
  for (const step of steps) {
    if (step.kind === 'change') server.change();
    else if (step.kind === 'failNextRead') server.failNextRead();
    else if (step.kind === 'wait') await wait(step.ticks);
    else if (step.kind === 'importTables') {
      server.change();
      imported = server.changes();
      void cache.refresh().catch(() => undefined);
    } else {
      requests.push(ask(cache, step.kind, step.kind === 'current' ? imported : server.changes()));
    }
  }
  return requests;
}

test('requests after an import show its tables, and checked ones show every change', async () => {
  const delays = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 40 }), delays, async (steps, ticks) => {
      const mayFail = steps.some(({ kind }) => kind === 'failNextRead');
      for (const { kind, atLeast, result } of await play(steps, ticks)) {
        const seen = await result;
        if (seen === 'failed') expect({ kind, mayFail }).toEqual({ kind, mayFail: true });
        else expect({ kind, seen }).toSatisfy(() => seen >= atLeast);
      }
    }),
    { numRuns: 2000 },
  );
});
