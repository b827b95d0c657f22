/** Arrays of PostgreSQL, in databases that have none. */
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';

// Skips the tests if there is no server.
useMariadb();

test('become texts in JSON, and one warning names their columns', async () => {
  await onNewDatabase(createTestDatabase, async ({ url, query }) => {
    const script = `CREATE TABLE public.a (id integer PRIMARY KEY, images text[], n integer[] NOT NULL);
CREATE TABLE public.b (t timestamp without time zone[]);
INSERT INTO public.a VALUES (1, '{x,"y z"}', '{1,2}');
`;
    const { warnings } = await importDumpFile(url, script);
    expect(warnings.filter((warning) => warning.includes('arrays'))).toEqual([
      expect.stringMatching(
        /^These columns of arrays become texts in JSON: a\.images \(text\[\]\), a\.n \(.*\), b\.t \(.*\)\.$/,
      ),
    ]);
    expect(await query('SELECT images FROM a')).toEqual([{ images: ['x', 'y z'] }]);
  });
});
