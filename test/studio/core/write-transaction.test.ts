import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import {
  repeatableTransaction,
  writeTransaction,
} from '../../../src/studio/core/write-transaction.ts';

const connectionLost = new StudioError(
  'database_unavailable',
  'The connection to the database broke.',
);

/** Begins a transaction that fails at its beginning or its end. */
function failing(fails: { readonly begin?: Error; readonly commit?: Error }) {
  return async <T>(work: (session: object) => Promise<T>): Promise<T> => {
    if (fails.begin !== undefined) throw fails.begin;
    const result = await work({});
    if (fails.commit !== undefined) throw fails.commit;
    return result;
  };
}

function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: Error) => error.message,
  );
}

test.each<readonly [string, Error, string]>([
  [
    'a lost connection',
    connectionLost,
    'The connection to the database broke; nothing was written.',
  ],
  [
    'a full disk, whose message says already that nothing was written',
    new StudioError('database_unavailable', 'The disk is full; nothing was written.', {
      outcome: 'nothing_written',
    }),
    'The disk is full; nothing was written.',
  ],
  ['any other failure', new StudioError('row_not_found', 'There is none.'), 'There is none.'],
  ['a defect', new Error('oh'), 'oh'],
])('before the commit: %s', async (_title, error, message) => {
  const work = () => Promise.reject(error);
  expect(await messageOf(writeTransaction(failing({}), work))).toBe(message);
});

test('during the commit the outcome is unknown', async () => {
  const written = writeTransaction(failing({ commit: connectionLost }), async () => 1);
  expect(await messageOf(written)).toBe(
    'The connection to the database broke; check whether it was written.',
  );
});

test('before the transaction has begun the error is unchanged', async () => {
  const written = writeTransaction(failing({ begin: connectionLost }), async () => 1);
  expect(await messageOf(written)).toBe(connectionLost.message);
});

test('before a repeatable transaction has begun nothing was written', async () => {
  const written = repeatableTransaction(failing({ begin: connectionLost }), async () => 1);
  expect(await messageOf(written)).toBe(
    'The connection to the database broke; nothing was written.',
  );
});

test('a repeatable transaction states the outcome of its commit', async () => {
  const written = repeatableTransaction(failing({ commit: connectionLost }), async () => 1);
  expect(await messageOf(written)).toBe(
    'The connection to the database broke; check whether it was written.',
  );
});

test('other details of the error are preserved', async () => {
  const errorWithDetails = new StudioError(connectionLost.code, connectionLost.message, {
    list: 'update',
    index: 3,
  });
  const written = writeTransaction(failing({}), () => Promise.reject(errorWithDetails));
  await expect(written).rejects.toMatchObject({ details: { list: 'update', index: 3 } });
});
