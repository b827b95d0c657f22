/** Imports of which many rows are rejected: none of them costs the server a lock until the end of the transaction. */
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { usePostgres } from '../../servers/postgres.ts';

const database = usePostgres();

test('hold no lock for a row that was rejected', async () => {
  // A subtransaction has a lock from its first write on.
  await database().query(`CREATE TABLE log (n int);
    CREATE TABLE items (id int PRIMARY KEY);
    CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO log VALUES (1);
      RAISE EXCEPTION '% locks', (SELECT count(*) FROM pg_locks
        WHERE pid = pg_backend_pid() AND locktype = 'transactionid');
    END $$;
    CREATE TRIGGER reject BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION reject()`);
  const ids = Array.from({ length: 60 }, (_, i) => `${i}\n`).join('');
  const { errors = [] } = await importFile(database().url, ['items.csv', `id\n${ids}`], {
    fields: { table: 'items' },
    on_error: 'skip',
  });
  expect(errors).toHaveLength(60);
  for (const { message } of errors) expect(message).toMatch(/\b[1-5] locks/);
});
