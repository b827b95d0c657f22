/**
 * Errors show no credentials, no SQL of the studio, no stack traces, and no values of other tables
 * (SECURITY.md 14).
 */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { describeOnEachDatabase } from '../databases/kit/harness.ts';
import { tableWithId, optional } from '../databases/kit/tables.ts';
import { requestSender, fileBody, jsonBody } from './send-request.ts';
import type { SendRequest } from './send-request.ts';

/** Words that indicate a stack trace, an internal path, internal SQL, or a login. */
const secrets =
  /node_modules|\.ts:\d|at \w+ \(|INSERT INTO|SELECT .* FROM|password|hunter2|postgres:\/\/|mysql:\/\/|hidden treasure/i;

describeOnEachDatabase('errors', (harness) => {
  let ask: SendRequest;

  harness.beforeTests(async () => {
    await harness.createTables([
      tableWithId('hidden', [optional('name', { kind: 'text' })]),
      tableWithId(
        'items',
        [
          optional('code', { kind: 'text', length: 20 }),
          optional('hidden_id', { kind: 'integer', bits: 64 }),
        ],
        {
          indexes: [
            { name: 'items_code', unique: true, constraint: true, parts: [{ column: 'code' }] },
          ],
          foreignKeys: [
            {
              columns: ['hidden_id'],
              table: 'hidden',
              referencedColumns: ['id'],
              onUpdate: 'no action',
              onDelete: 'no action',
            },
          ],
          checks: [{ name: 'items_check', expression: "code <> 'bad'" }],
        },
      ),
    ]);
    await harness.insertRows('hidden', [{ name: 'hidden treasure' }]);
    await harness.insertRows('items', [{ code: 'taken' }]);
    ask = requestSender(harness.studio);
  });

  test.each<readonly [string, string, RequestInit]>([
    ['a duplicate value', '/tables/items/rows', jsonBody({ code: 'taken' })],
    ['a foreign key without its row', '/tables/items/rows', jsonBody({ hidden_id: 99 })],
    ['a value that a check rejects', '/tables/items/rows', jsonBody({ code: 'bad' })],
    ['a value too large', '/tables/items/rows', jsonBody({ hidden_id: '9'.repeat(40) })],
    ['the deletion of a referenced row', '/tables/hidden/rows/2', { method: 'DELETE' }],
    ['an unknown table', '/tables/nothing/rows', {}],
    ['an unknown column', '/tables/items/rows?sort_by=nothing', {}],
    ['a value of another type', '/tables/items/rows?filter_id=x', {}],
    ['a broken import', '/import/data?table=items', fileBody('a.csv', 'id,code\nx,y\n1,taken\n')],
    [
      'an import of a duplicate value',
      '/import/data?table=items',
      fileBody('a.json', '[{"code":"taken"}]'),
    ],
    ['an invalid schema file', '/import/schema', fileBody('a.sql', 'CREATE TABLE (')],
  ])('the error about %s shows no secrets', async (_title, path, init) => {
    const { status, text } = await ask(path, init);
    if (status >= 400) expect(text).not.toMatch(secrets);
    expect(status).toBeLessThan(500);
  });

  test('the error about a statement of the client has the message of the database', async () => {
    const { text } = await ask('/sql', jsonBody({ query: 'SELECT nothing FROM items' }));
    expect(text).toContain('nothing');
    expect(text).not.toMatch(/node_modules|\.ts:\d|hunter2/);
  });
});

describe('a database that cannot be reached', () => {
  test.each(['postgres', 'mysql', 'sqlserver'])(
    'of %s is reported without its login',
    async (scheme) => {
      const listener = createServer((socket) => socket.destroy());
      await new Promise<void>((resolve) => {
        listener.listen(0, '127.0.0.1', resolve);
      });
      const { port } = listener.address() as AddressInfo;
      try {
        const failure: unknown = await createStudio({
          url: `${scheme}://ada:hunter2@127.0.0.1:${port}/shop`,
        })
          .then(async (studio) => {
            const response = await requestSender(studio)('/tables/x/rows');
            await studio.close();
            return response.text;
          })
          .catch((error: unknown) => error);
        const text =
          failure instanceof Error
            ? `${failure.message} ${JSON.stringify(failure)}`
            : String(failure);
        expect(text).not.toContain('hunter2');
      } finally {
        listener.close();
      }
    },
  );
});
