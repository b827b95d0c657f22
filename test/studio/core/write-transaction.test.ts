import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { writeTransaction } from '../../../src/studio/core/write-transaction.ts';
import type { Database, Transaction } from '../../../src/model/database.ts';

const gone = new StudioError('database_unavailable', 'The connection to the database broke.');

/** A database whose transactions fail at their beginning or their end. */
function databaseWith(fails: { readonly begin?: Error; readonly commit?: Error }): Database {
  const transaction: Database['transaction'] = async (_mode, work) => {
    if (fails.begin !== undefined) throw fails.begin;
    const result = await work({} as Transaction);
    if (fails.commit !== undefined) throw fails.commit;
    return result;
  };
  return { transaction } as Database;
}

function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: Error) => error.message,
  );
}

test.each<readonly [string, Error, string]>([
  ['a database that goes', gone, 'The connection to the database broke; nothing was written.'],
  [
    'a full disk, which is said already',
    new StudioError('database_unavailable', 'The disk is full; nothing was written.'),
    'The disk is full; nothing was written.',
  ],
  ['any other failure', new StudioError('row_not_found', 'There is none.'), 'There is none.'],
  ['a defect', new Error('oh'), 'oh'],
])('before the commit: %s', async (_title, error, message) => {
  const work = () => Promise.reject(error);
  expect(await messageOf(writeTransaction(databaseWith({}), work))).toBe(message);
});

test('during the commit nobody knows', async () => {
  const written = writeTransaction(databaseWith({ commit: gone }), async () => 1);
  expect(await messageOf(written)).toBe(
    'The connection to the database broke; check whether it was written.',
  );
});

test('before it has begun there is nothing to be said', async () => {
  const written = writeTransaction(databaseWith({ begin: gone }), async () => 1);
  expect(await messageOf(written)).toBe(gone.message);
});

test('what else the failure told stays', async () => {
  const placed = new StudioError(gone.code, gone.message, { list: 'update', index: 3 });
  const written = writeTransaction(databaseWith({}), () => Promise.reject(placed));
  await expect(written).rejects.toMatchObject({ details: { list: 'update', index: 3 } });
});
