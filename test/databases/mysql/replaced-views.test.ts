/** Exports of views that another session replaces while the export begins. */
import { createConnection } from 'mysql2/promise';
import { expect, test } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { exportOneFrom } from '../exporting.ts';
import type { JobContext } from '../../../src/studio/core/job.ts';

const server = useMariadb();

test('have the columns and the values of the new view', async () => {
  await server().query('CREATE TABLE base (a INT, b INT)');
  await server().query('INSERT INTO base VALUES (1, 2)');
  await server().query('CREATE VIEW shown AS SELECT a, b FROM base');
  let isReplaced = false;
  const whileReplacing = (context: JobContext): JobContext => {
    const { transaction } = context.database;
    const replacing: typeof transaction = async (mode, work, options) => {
      if (!isReplaced) {
        isReplaced = true;
        const client = await createConnection(server().url);
        await client.query('CREATE OR REPLACE VIEW shown AS SELECT b, a AS more FROM base');
        await client.end();
      }
      return transaction(mode, work, options);
    };
    return { ...context, database: { ...context.database, transaction: replacing } };
  };
  const exported = await exportOneFrom(
    server().url,
    { table: 'shown', format: 'csv' },
    whileReplacing,
  );
  expect(exported.text).toBe('b,more\n2,1\n');
});

test('are written if nothing changes', async () => {
  await server().query('CREATE OR REPLACE VIEW plain AS SELECT 1 AS one');
  const { text } = await exportOneFrom(server().url, { table: 'plain', format: 'csv' }, (it) => it);
  expect(text).toBe('one\n1\n');
});
