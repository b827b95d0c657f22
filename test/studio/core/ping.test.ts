/** What makes a health check fail. */
import { expect, test } from 'vitest';
import { translateError } from '../../../src/databases/mysql/dialect/errors.ts';
import { ping } from '../../../src/studio/core/ping.ts';
import type { Context } from '../../../src/studio/core/context.ts';

const serverError = (errno: number, sqlMessage: string): Error =>
  Object.assign(new Error(sqlMessage), { errno, sqlMessage });

/** A database that answers statements without tables, and fails with an error for those that read one. */
function contextOf(
  failure: Error | undefined,
  tables: readonly object[] = [{ name: 't' }],
  unavailableReason?: string,
) {
  const texts: string[] = [];
  const run = ({ text }: { readonly text: string }): Promise<unknown> => {
    texts.push(text);
    return failure !== undefined && text.includes('FROM')
      ? Promise.reject(failure)
      : Promise.resolve();
  };
  const context = {
    database: {
      dialect: { translateError, tableName: ({ name }: { readonly name: string }) => name },
      serverState: () => Promise.resolve({ unavailableReason }),
      structureVersion: () => Promise.resolve('1'),
      read: (work: (session: object) => Promise<unknown>) => work({ run }),
    },
    schemas: { current: () => Promise.resolve({ schema: { tables } }) },
  };
  return { context: context as unknown as Context, texts };
}

test('a node without quorum is not ready, although it runs SELECT 1', async () => {
  const error = serverError(1047, 'WSREP has not yet prepared node for application use');
  await expect(ping(contextOf(error).context)).rejects.toBe(error);
});

test('a server that says it is unavailable is not ready', async () => {
  const { context, texts } = contextOf(undefined, [], 'It has lost the majority of its group.');
  await expect(ping(context)).rejects.toMatchObject({
    code: 'database_unavailable',
    message: 'It has lost the majority of its group.',
  });
  expect(texts).toEqual([]);
});

test.each([
  ['locked', serverError(1205, 'Lock wait timeout exceeded')],
  ['forbidden', serverError(1142, 'SELECT command denied')],
  ['broken', serverError(1356, 'View references invalid table')],
])('a table that is %s does not fail the health check', async (_, error) => {
  const { context, texts } = contextOf(error);
  await ping(context);
  expect(texts.at(-1)).toBe('SELECT 1 FROM t WHERE 1 = 0');
});

test('a database without tables is ready', async () => {
  const { context, texts } = contextOf(undefined, []);
  await ping(context);
  expect(texts).toEqual(['SELECT 1']);
});
