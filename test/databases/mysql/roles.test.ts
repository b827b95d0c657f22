/** What users with fewer rights than the owner can see and do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { mysql } from '../../../src/databases/mysql/kind.ts';
import { tableOf, useDatabase } from './open-test-database.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';
import type { Database } from '../registered-databases.ts';

const open = useDatabase(
  (server) => `
  CREATE TABLE parent (id int PRIMARY KEY AUTO_INCREMENT, code varchar(20) UNIQUE, secret varchar(20));
  CREATE TABLE child (
    id int PRIMARY KEY AUTO_INCREMENT, parent_id int, other_id int, \`odd \`\` name\` int,
    CONSTRAINT \`to (parent)\` FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE SET NULL,
    CONSTRAINT again FOREIGN KEY (other_id) REFERENCES parent (id),
    CONSTRAINT positive CHECK (other_id > 0)
  );
  CREATE TABLE hidden (id int PRIMARY KEY);
  CREATE VIEW codes AS SELECT id, code FROM parent;
  INSERT INTO parent (code) VALUES ('a');
  ${users(server)
    .map(
      ({ name, grants }) =>
        `CREATE USER '${name}'@'%' IDENTIFIED BY 'pass'; ${grants.map((grant) => `GRANT ${grant} TO '${name}'@'%';`).join(' ')}`,
    )
    .join('\n')}`,
);

function users({
  name,
}: TestDatabase): readonly { readonly name: string; readonly grants: readonly string[] }[] {
  const short = name.slice(-12);
  return [
    { name: `studio_reader_${short}`, grants: [`SELECT ON ${name}.*`] },
    {
      name: `studio_grantee_${short}`,
      grants: [`SELECT, INSERT ON ${name}.child`, `SELECT (id, code) ON ${name}.parent`],
    },
  ];
}

const opened: Database[] = [];
let owner: Database;
let reader: Database;
let grantee: Database;

beforeAll(async () => {
  let found: ReturnType<typeof open>;
  try {
    found = open();
  } catch {
    return;
  }
  const { server, database } = found;
  owner = database;
  const connect = async (user: string): Promise<Database> => {
    const other = await mysql.open({
      url: server.urlWith({ user, password: 'pass' }),
      readOnly: false,
      create: false,
    });
    opened.push(other);
    return other;
  };
  const [first, second] = users(server);
  reader = await connect(first!.name);
  grantee = await connect(second!.name);
});

afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  if (opened.length > 0)
    for (const { name } of users(open().server))
      await open().server.query(`DROP USER '${name}'@'%'`);
});

const run = (database: Database, text: string): Promise<unknown> =>
  database.run({ text, params: [] }).then(
    ({ rows }) => rows,
    (error: unknown) => database.dialect.translateError(error),
  );

describe('a read-only role', () => {
  test('sees the structure like its owner, except for the definitions of views', async () => {
    const withoutDefinition = (views: readonly object[]): readonly object[] =>
      views.map((view) => ({ ...view, definition: undefined }));
    const [schemaOfReader, schemaOfOwner] = [await reader.introspect(), await owner.introspect()];
    expect(schemaOfReader.tables).toEqual(schemaOfOwner.tables);
    expect(withoutDefinition(schemaOfReader.views)).toEqual(withoutDefinition(schemaOfOwner.views));
    expect(tableOf(schemaOfReader, 'child').foreignKeys).toHaveLength(2);
  });

  test('can read, and all other statements are rejected', async () => {
    expect(await run(reader, 'SELECT code FROM codes')).toEqual([['a']]);
    for (const text of [
      "INSERT INTO parent (code) VALUES ('b')",
      'UPDATE parent SET code = NULL',
      'DELETE FROM parent',
      'DROP TABLE hidden',
      'CREATE TABLE made (a int)',
    ]) {
      expect(await run(reader, text)).toMatchObject({ code: 'permission_denied' });
    }
  });

  test('can cancel its own statements', async () => {
    const slow = reader.run({ text: 'SELECT SLEEP(60) FROM parent', params: [] }, { limitMs: 100 });
    await expect(slow).rejects.toMatchObject({ code: 'statement_timeout' });
  });
});

describe('a user with some grants', () => {
  test('sees the tables and columns that it was granted', async () => {
    const { tables, views } = await grantee.introspect();
    expect(tables.map(({ name }) => name).toSorted()).toEqual(['child', 'parent']);
    expect(views).toEqual([]);
    expect(
      tableOf({ tables, views, enums: [], database: '', serverVersion: '' }, 'parent').columns.map(
        ({ name }) => name,
      ),
    ).toEqual(['id', 'code']);
  });

  test('does not see a foreign key to a hidden table', async () => {
    const rejection = await run(grantee, 'INSERT INTO child (parent_id) VALUES (99)');
    expect(rejection).toMatchObject({ code: 'foreign_key_violation' });
    expect(JSON.stringify(rejection)).not.toContain('secret');
  });

  test('can read and insert rows where granted', async () => {
    expect(await run(grantee, 'SELECT code FROM parent')).toEqual([['a']]);
    expect(await run(grantee, 'SELECT secret FROM parent')).toMatchObject({
      code: 'permission_denied',
    });
    expect(await run(grantee, 'SELECT * FROM hidden')).toMatchObject({ code: 'permission_denied' });
    expect(await run(grantee, 'INSERT INTO child (parent_id) VALUES (1)')).toEqual([]);
  });
});
