import { expect, test } from 'vitest';
import { canBeRepeated, StudioError } from '../../../src/model/errors.ts';
import {
  retryOnStructureChange,
  StructureChanged,
} from '../../../src/studio/core/retry-on-structure-change.ts';
import type { Context } from '../../../src/studio/core/context.ts';
import type { CachedSchema } from '../../../src/studio/core/schema-cache.ts';

/** A context whose schema is another one each time it is read. */
function changingContext(): Context {
  const read = async (): Promise<CachedSchema> =>
    ({ schema: { tables: [] } }) as unknown as CachedSchema;
  return { schemas: { current: read, verified: read, refresh: read } } as unknown as Context;
}

test.each([
  ['read', 'The structure of table "events" keeps changing. Repeat the request.'],
  [
    'write',
    'The structure of table "events" keeps changing; nothing was written. Repeat the request.',
  ],
] as const)('while the structure keeps changing, a %s can be repeated', async (during, message) => {
  let attempts = 0;
  const error = await retryOnStructureChange(changingContext(), {}, async ({ schemas }) => {
    attempts += 1;
    await schemas.current();
    throw new StructureChanged('events', during);
  }).catch((thrown: unknown) => thrown);
  expect(attempts).toBeGreaterThan(1);
  expect(error).toBeInstanceOf(StudioError);
  expect(error).toMatchObject({ code: 'database_busy', message });
  // Otherwise, each repetition with the same Idempotency-Key would get this error.
  expect(canBeRepeated(error)).toBe(true);
});
