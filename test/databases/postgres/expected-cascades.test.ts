/** Deletions with expected cascades by a login that may read the rows that they take along, but not lock them. */
import { expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { usePostgres } from '../../servers/postgres.ts';
import { failureOf, readBody } from '../kit/harness.ts';

const server = usePostgres();

const structure = (role: string): string => `
  CREATE TABLE parent (id int PRIMARY KEY);
  CREATE TABLE readable (id int PRIMARY KEY, parent_id int REFERENCES parent ON DELETE CASCADE);
  CREATE TABLE guarded (id int PRIMARY KEY, parent_id int REFERENCES parent ON DELETE CASCADE);
  CREATE TABLE locked (id int PRIMARY KEY, parent_id int REFERENCES parent ON DELETE CASCADE);
  INSERT INTO parent VALUES (1), (2);
  INSERT INTO readable VALUES (1, 1), (2, 1), (3, 2);
  INSERT INTO guarded VALUES (1, 1), (2, 1), (3, 2);
  INSERT INTO locked VALUES (1, 1);
  ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
  CREATE POLICY all_rows ON guarded FOR SELECT USING (true);
  CREATE ROLE ${role} LOGIN PASSWORD 'pw';
  GRANT SELECT, UPDATE, DELETE ON parent, guarded TO ${role};
  GRANT SELECT ON readable, locked TO ${role};`;

/** Keeps others from reading the table, as long as the work lasts. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const holders = `FROM pg_locks WHERE relation = '${table}'::regclass AND mode = 'AccessExclusiveLock' AND granted`;
  const lock = server()
    .query(`BEGIN; LOCK TABLE ${table}; SELECT pg_sleep(600)`)
    .catch(() => {});
  await expect.poll(() => server().query(`SELECT pid ${holders}`)).toHaveLength(1);
  try {
    return await work();
  } finally {
    await server().query(`SELECT pg_terminate_backend(pid) ${holders}`);
    await lock;
  }
}

test('rows are counted without locks where the login may not lock them', async () => {
  const role = `${server().name}_deleter`;
  await server().query(structure(role));
  const studio = await createStudio({ url: server().urlWith({ user: role, password: 'pw' }) });
  const send = (operation: 'preview-changes' | 'change-rows', body: object) =>
    studio.perform(operation, {
      table: 'parent',
      body: JSON.stringify(body),
      showDeleted: false,
      permanent: false,
      partial: false,
    });
  try {
    await studio.perform('get-schema', {});
    const reply = await whileLocked('locked', () => send('preview-changes', { delete: [1] }));
    const preview = readBody(reply) as {
      readonly cascades: readonly Readonly<Record<string, unknown>>[];
    };
    const counts = preview.cascades.map(({ table, rows, error }) => [table, rows, error === undefined]); // prettier-ignore
    expect(counts.toSorted()).toEqual([
      ['guarded', 2, true],
      ['locked', 0, false],
      ['readable', 2, true],
    ]);
    const confirmed = { delete: [1], expected_cascades: preview.cascades };
    for (const table of ['readable', 'guarded']) {
      await server().query(`INSERT INTO ${table} VALUES (4, 1)`);
      expect(await failureOf(send('change-rows', confirmed))).toMatchObject({
        code: 'cascades_changed',
        table,
      });
      await server().query(`DELETE FROM ${table} WHERE id = 4`);
    }
    await send('change-rows', confirmed);
    for (const table of ['readable', 'guarded'])
      expect(await server().query(`SELECT id FROM ${table}`)).toEqual([{ id: 3 }]);
    expect(await server().query('SELECT id FROM locked')).toEqual([]);
  } finally {
    await studio.close();
    await server().query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});
