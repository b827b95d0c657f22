/** Programs of a dump that the database rejects only after the rows are committed. */
import { expect, test, vi } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { withContext } from '../import-job.ts';
import { importDumpFile } from '../importing.ts';

const server = useMariadb();

const dump = `CREATE TABLE items (id int PRIMARY KEY, parent int, FOREIGN KEY (parent) REFERENCES parents (id));
INSERT INTO items VALUES (1, 1), (2, 1);
DELIMITER ;;
CREATE TRIGGER items_added AFTER INSERT ON items FOR EACH ROW BEGIN SET @added = 1; END ;;
CREATE EVENT tick ON SCHEDULE EVERY 1 YEAR DISABLE DO BEGIN DELETE FROM items; END ;;
DELIMITER ;
`;
const eventOfOthers =
  'CREATE EVENT tick ON SCHEDULE EVERY 1 YEAR DISABLE DO DELETE FROM parents WHERE id = 0';

test('are in the warnings, and not among those that were created', async () => {
  const { query, url } = server();
  await query('CREATE TABLE parents (id int PRIMARY KEY); INSERT INTO parents VALUES (1)');
  let importing: ReturnType<typeof importDumpFile> | undefined;
  await withContext({ url }, ({ database }) =>
    // The load waits for the row, so the event exists before the rows are committed.
    database.transaction('write', async (session) => {
      await session.run({ text: 'SELECT id FROM parents FOR UPDATE', params: [] });
      importing = importDumpFile(url, dump);
      await vi.waitFor(
        async () => expect(await query("SHOW TABLES LIKE 'items'")).toHaveLength(1),
        { timeout: 20_000 },
      );
      await query(eventOfOthers);
    }),
  );
  const response = await importing!;
  expect(response.rows_imported).toBe(2);
  expect(response.routines_created).toEqual(['trigger items_added']);
  expect(response.statements.join()).not.toContain('tick');
  expect(response.message).toContain('1 trigger or routine');
  expect(response.warnings.join('\n')).toContain('the event tick is left out');
});
