/** Imports that are interrupted after the commit of their rows, and of which the database rejects the rest for good. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { importDump } from '../../../src/studio/import/import-dump.ts';
import { withStudioErrors } from '../../../src/studio/core/with-studio-errors.ts';
import { findJournalFolder, journalsIn } from '../../../src/studio/import/schema/journal-files.ts';
import { undoJournal } from '../../../src/studio/import/schema/undo-journals.ts';
import { makeFolder } from '../../cli/command.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { endingDatabase } from '../ending-database.ts';
import { withContext } from '../import-job.ts';
import type { ImportRequest } from '../import-job.ts';
import type { UndoOutcome } from '../../../src/studio/import/schema/undo-journals.ts';

const server = useMariadb();
const user = 'studio_completing';

const dump = `CREATE TABLE items (id INT PRIMARY KEY, v VARCHAR(20));
CREATE TABLE logt (id INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(20)) AUTO_INCREMENT=77;
INSERT INTO items VALUES (1, 'one');
CREATE TRIGGER items_ai AFTER INSERT ON items FOR EACH ROW INSERT INTO logt (what) VALUES (NEW.v);
CREATE TRIGGER logt_bi BEFORE INSERT ON logt FOR EACH ROW SET NEW.what = UPPER(NEW.what);
`;

/** Imports the dump, and ends the process after the commit. */
async function importUpToCommit(order: Required<Pick<ImportRequest, 'url' | 'stateDir'>>) {
  const path = join(order.stateDir, 'dump.sql');
  writeFileSync(path, dump);
  const upload = { files: [{ name: 'dump.sql', path, bytes: statSync(path).size }], fields: {} };
  await withContext(order, async (job) => {
    const database = endingDatabase(job.database, 'after the commit', async () => undefined);
    const importing = importDump(
      { ...job, folder: order.stateDir, database },
      { upload, dialect: 'mysql' },
      { head: () => {}, progress: () => {}, stream: undefined as never },
    );
    await expect(importing).rejects.toThrow('The process has ended');
  });
}

async function undo(order: ImportRequest): Promise<readonly (UndoOutcome | undefined)[]> {
  return withContext(order, async (job) => {
    const context = { ...job, database: withStudioErrors(job.database) };
    const names = await journalsIn((await findJournalFolder(context)) ?? '');
    const outcomes: (UndoOutcome | undefined)[] = [];
    for (const name of names) outcomes.push(await undoJournal(context, name));
    return outcomes;
  });
}

afterEach(async () => {
  await server().query(`DROP TABLE IF EXISTS items, items_old, logt; DROP USER IF EXISTS ${user}`);
});

test.for([
  {
    others: 'nothing',
    change: 'DO 1',
    leftOut: [],
    triggers: ['items_ai', 'logt_bi'],
  },
  {
    others: 'rename a column',
    change: 'ALTER TABLE items RENAME COLUMN v TO w',
    leftOut: [
      'Line 4: the trigger items_ai is left out: the table items no longer has the columns of the import.',
    ],
    triggers: ['logt_bi'],
  },
  {
    others: 'drop a table',
    change: 'DROP TABLE items',
    leftOut: [
      'Line 4: the trigger items_ai is left out: the table items of the import no longer exists.',
    ],
    triggers: ['logt_bi'],
  },
  {
    others: 'create another table of the name',
    change:
      'RENAME TABLE items TO items_old; CREATE TABLE items (id INT PRIMARY KEY, v VARCHAR(20), price INT)',
    leftOut: [
      'Line 4: the trigger items_ai is left out: the table items no longer has the columns of the import.',
    ],
    triggers: ['logt_bi'],
  },
  {
    others: 'drop the table with a counter',
    change: 'DROP TABLE logt',
    leftOut: [
      expect.stringMatching(
        /^The database rejects "ALTER TABLE `logt` AUTO_INCREMENT = 77" after the rows: /,
      ),
      'Line 5: the trigger logt_bi is left out: the table logt of the import no longer exists.',
    ],
    triggers: ['items_ai'],
  },
  {
    others: 'revoke the privilege',
    change: `REVOKE TRIGGER ON DATABASE.* FROM ${user}`,
    leftOut: [
      expect.stringMatching(
        /^Line 4: the trigger items_ai is left out: TRIGGER command denied to user/,
      ),
      expect.stringMatching(
        /^Line 5: the trigger logt_bi is left out: TRIGGER command denied to user/,
      ),
    ],
    triggers: [],
  },
])('end although others $others', async ({ change, leftOut, triggers }) => {
  const { name, query, urlWith } = server();
  await query(`CREATE USER ${user} IDENTIFIED BY 'x'; GRANT ALL ON \`${name}\`.* TO ${user}`);
  const order = { url: urlWith({ user, password: 'x' }), stateDir: makeFolder() };
  await importUpToCommit(order);
  await query(change.replace('DATABASE', `\`${name}\``));
  const outcomes = await undo(order);
  expect(outcomes).toEqual([
    expect.objectContaining({ completed: ['items', 'logt'], leftOut, pending: [], failures: [] }),
  ]);
  expect(await undo(order)).toEqual([]);
  const found = await query('SHOW TRIGGERS');
  expect(found.map(({ Trigger }) => Trigger).toSorted()).toEqual(triggers);
  expect(await query("SHOW TABLES LIKE 'studio%'")).toEqual([]);
});
