/** A failed import of a user without the privilege ALTER removes no rows that others insert into its tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { withCreated } from '../../../src/studio/import/schema/run-structure.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { withContext } from '../import-job.ts';
import type { Table } from '../../../src/model/schema.ts';

const server = useMariadb();

const relations = ['limited_a', 'limited_b'].map((name): Table => ({
  name,
  localName: name,
  kind: 'table',
  columns: [],
  indexes: [],
  foreignKeys: [],
  checks: [],
}));
const statements = [
  'CREATE TABLE `limited_a` (id INTEGER PRIMARY KEY)',
  'CREATE TABLE `limited_b` (id INTEGER PRIMARY KEY, a INTEGER, FOREIGN KEY (a) REFERENCES limited_a (id))',
];

test.for([
  { privileges: 'LOCK TABLES', inserts: false, retained: [] },
  { privileges: 'LOCK TABLES', inserts: true, retained: ['limited_a'] },
  { privileges: undefined, inserts: false, retained: ['limited_a', 'limited_b'] },
  { privileges: undefined, inserts: true, retained: ['limited_a', 'limited_b'] },
])('with $privileges, others insert: $inserts', async ({ privileges, inserts, retained }) => {
  const { name, query, urlWith, url } = server();
  const user = `studio_${privileges === undefined ? 'no' : 'with'}_lock_${inserts}`;
  const granted = ['SELECT', 'INSERT', 'CREATE', 'DROP', 'REFERENCES', privileges ?? []].flat();
  await query(`CREATE USER ${user} IDENTIFIED BY 'x'`);
  await query(`GRANT ${granted.join(', ')} ON \`${name}\`.* TO ${user}`);
  let committed: Promise<void> | undefined;
  const insert = async (): Promise<void> => {
    const inserted = Promise.withResolvers<void>();
    committed = withContext({ url }, ({ database }) =>
      database.transaction('write', async (session) => {
        await session.run({ text: 'INSERT INTO limited_a VALUES (1)', params: [] });
        inserted.resolve();
        await sleep(300);
      }),
    );
    await Promise.race([inserted.promise, committed]);
  };
  try {
    const importing = withContext({ url: urlWith({ user, password: 'x' }) }, (job) =>
      withCreated(job, { statements, relations, programs: [] }, async () => {
        if (inserts) await insert();
        throw new StudioError('import_failed', 'Row 2 is wrong.');
      }),
    );
    const message = await importing.then(() => '', String);
    expect(message).toContain('Row 2 is wrong.');
    await committed;
    const tables = await query("SHOW TABLES LIKE 'limited%'");
    expect(tables.flatMap((row) => Object.values(row))).toEqual(retained);
    for (const table of retained) expect(message).toContain(`"${table}"`);
    if (inserts) expect(await query('SELECT id FROM limited_a')).toHaveLength(1);
  } finally {
    await query(`DROP USER ${user}; DROP TABLE IF EXISTS limited_b, limited_a`);
  }
});
