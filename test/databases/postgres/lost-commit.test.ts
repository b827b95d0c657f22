/** An import whose connection breaks after PostgreSQL has received its COMMIT. */
import { expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../../src/index.ts';
import { usePostgres } from '../../servers/postgres.ts';
import { startRelay } from '../../servers/relay.ts';

const testDatabase = usePostgres();

test('the error does not say that the import was rolled back', async () => {
  const database = testDatabase();
  await database.query('CREATE TABLE visits (id serial PRIMARY KEY, page text NOT NULL)');
  const url = new URL(database.url);
  let commits = 0;
  const relay = await startRelay(Number(url.port), (chunk) => {
    if (chunk.includes('COMMIT')) commits += 1;
    // The first is the statement, the second its response.
    if (commits < 2) return chunk;
    commits = -Infinity;
    relay.cut();
    return '';
  });
  onTestFinished(() => relay.close());
  url.port = String(relay.port);
  const studio = await createStudio({ url: url.href });
  onTestFinished(() => studio.close());
  const body = new FormData();
  body.set('file', new Blob(['page\na\nb\n']), 'visits.csv');
  const path = 'http://localhost/studio/api/import/data?table=visits';
  const response = await studio.fetch(new Request(path, { method: 'POST', body }));
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({ error: expect.stringMatching(/; check whether it was written\.$/) }),
  ]);
  expect(await database.query('SELECT page FROM visits ORDER BY id')).toEqual([
    { page: 'a' },
    { page: 'b' },
  ]);
});
