/** Imports of a user who could not remove the tables of a failed one are refused before they create any. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jobs } from '../../../src/studio/execution/jobs.ts';
import { findJournalFolder, journalsIn } from '../../../src/studio/import/schema/journal-files.ts';
import { makeFolder } from '../../cli/command.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { withContext } from '../import-job.ts';

const server = useMariadb();
const user = 'studio_without_drop';

const model = (fields: string): string =>
  `package m\n\ntype User struct {\n\tID uint\n${fields}}\n`;

test('an import of a dump, a schema, rows or models names the missing privilege', async () => {
  const { name, query, urlWith } = server();
  const granted =
    'SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, REFERENCES, TRIGGER, CREATE VIEW';
  await query(
    `CREATE USER ${user} IDENTIFIED BY 'x'; GRANT ${granted} ON \`${name}\`.* TO ${user}`,
  );
  await query('CREATE TABLE kept (id INT PRIMARY KEY)');
  const stateDir = makeFolder();
  const order = { url: urlWith({ user, password: 'x' }), stateDir };
  const perform = (job: keyof typeof jobs, file: string, text: string): Promise<unknown> =>
    withContext(order, async (context) => {
      const path = join(stateDir, file);
      writeFileSync(path, text);
      const upload = { files: [{ name: file, path, bytes: statSync(path).size }], fields: {} };
      const run = await jobs[job].load();
      return run({ ...context, folder: stateDir }, { upload, create_table: 'true' } as never, {
        head: () => {},
        progress: () => {},
        stream: undefined as never,
      });
    });
  const create = 'CREATE TABLE items (id INT PRIMARY KEY);\n';
  try {
    for (const [job, file, text] of [
      ['import-dump', 'd.sql', `${create}INSERT INTO items VALUES (1), (1);\n`],
      ['import-schema', 's.sql', create],
      ['import-data', 'items.csv', 'id\n1\n'],
      ['import-models', 'm.go', model('')],
    ] as const)
      await expect(perform(job, file, text), job).rejects.toMatchObject({
        code: 'permission_denied',
        message: expect.stringContaining('lacks the privilege DROP on the database'),
      });
    expect((await query('SHOW TABLES')).flatMap((row) => Object.values(row))).toEqual(['kept']);
    await withContext(order, async (context) =>
      expect(await journalsIn((await findJournalFolder(context)) ?? '')).toEqual([]),
    );
    // Columns are dropped by ALTER.
    await query('CREATE TABLE users (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY)');
    await perform('import-models', 'm.go', model('\tAge int\n'));
    expect(await query("SHOW COLUMNS FROM users LIKE 'age'")).toHaveLength(1);
  } finally {
    await query(`DROP USER ${user}; DROP TABLE IF EXISTS users, kept, items`);
  }
});
