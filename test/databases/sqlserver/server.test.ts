/**
 * Tests on the server in STUDIO_TEST_SQLSERVER, for behavior that the SQL text alone does not show.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openSqlserver } from '../../../src/databases/sqlserver/database.ts';
import { sqlserverDialect as dialect } from '../../../src/databases/sqlserver/dialect/dialect.ts';
import { sqlserverWriting as writing } from '../../../src/databases/sqlserver/dialect/write.ts';
import { parseExactJson } from '../../../src/model/values/exact-json.ts';
import { param } from '../../../src/model/fragment.ts';
import { rowEncoder } from '../../../src/model/values/json-cells.ts';
import { readJsonValue } from '../../../src/model/values/read-json-value.ts';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { render } from '../../../src/sql/render.ts';
import { selectRows } from '../../../src/sql/select.ts';
import { schemaOf } from '../../sql/neutral-schema.ts';
import { useSqlserver } from './test-server.ts';
import type { Column, Table } from '../../../src/model/schema.ts';
import type { Row } from '../../../src/model/values.ts';
import type { Database } from '../registered-databases.ts';

const server = useSqlserver();
let database: Database | undefined;

beforeAll(async () => {
  if (process.env['STUDIO_TEST_SQLSERVER'])
    database = await openSqlserver({ url: server().url, readOnly: false, create: false });
});

afterAll(() => database?.close());

function current(): Database {
  if (database === undefined) throw new Error('The database is not open.');
  return database;
}

async function tableOf(name: string): Promise<Table> {
  const { tables, views } = await current().introspect();
  const found = [...tables, ...views].find((table) => table.name === name);
  if (found === undefined) throw new Error(`There is no table ${name}.`);
  return found;
}

async function run(text: string): Promise<readonly Row[]> {
  return (await current().run({ text, params: [] })).rows;
}

async function select(table: Table, columns: readonly Column[]): Promise<readonly string[]> {
  const expressions = columns.map((column) =>
    dialect.selectExpression(dialect.quoteName(column.name), column),
  );
  const query = render(
    dialect,
    selectRows(dialect, { table, expressions, where: [], order: [] }),
    columns,
  );
  const { rows } = await current().run(query);
  return rows.map(rowEncoder(columns));
}

/** A type, a literal of it, its cell in JSON, and whether Babelfish has the type too. */
const cells: readonly (readonly [type: string, literal: string, json: string, real?: 'real'])[] = [
  ['bit', '1', 'true'],
  ['tinyint', '255', '255'],
  ['smallint', '-32768', '-32768'],
  ['int', '-2147483648', '-2147483648'],
  ['bigint', '9007199254740993', '"9007199254740993"'],
  [
    'decimal(38,10)',
    '1234567890123456789012345678.0123456789',
    '"1234567890123456789012345678.0123456789"',
  ],
  ['numeric(5,2)', '10.5', '10.50'],
  ['money', '922337203685477.5807', '"922337203685477.5807"'],
  ['smallmoney', '12.3456', '12.3456'],
  ['float', '0.1', '0.1'],
  ['real', '0.5', '0.5'],
  ['char(5)', "'ab'", '"ab   "'],
  ['varchar(20)', "'ab'", '"ab"'],
  ['nvarchar(20)', "N'名前 😀'", '"名前 😀"'],
  ['nvarchar(max)', "N''", '""'],
  ['ntext', "N'ä'", '"ä"'],
  ['varbinary(10)', '0x00ff', '{"$base64":"AP8="}'],
  ['image', '0x01', '{"$base64":"AQ=="}'],
  [
    'uniqueidentifier',
    "'6FA459EA-EE8A-4CA4-894E-DB77E160355E'",
    '"6fa459ea-ee8a-4ca4-894e-db77e160355e"',
  ],
  ['date', "'2026-01-31'", '"2026-01-31"'],
  ['time(6)', "'13:05:00.123456'", '"13:05:00.123456"'],
  ['datetime', "'2026-01-31T13:05:00.123'", '"2026-01-31T13:05:00.123"'],
  ['smalldatetime', "'2026-01-31T13:05:00'", '"2026-01-31T13:05:00"'],
  ['datetime2(6)', "'2026-01-31T13:05:00.123456'", '"2026-01-31T13:05:00.123456"'],
  ['datetime2(7)', "'9999-12-31T23:59:59.9999999'", '"9999-12-31T23:59:59.9999999"', 'real'],
  ['datetimeoffset(6)', "'2026-01-31T13:05:00.123456+02:00'", '"2026-01-31T13:05:00.123456+02:00"'],
  ['xml', "'<a>ä</a>'", '"<a>ä</a>"'],
  ['hierarchyid', "'/1/2/'", '"/1/2/"', 'real'],
  ['geography', "'POINT (1 2)'", '"POINT (1 2)"', 'real'],
  ['sql_variant', 'CAST(5 AS int)', '5'],
  ['sql_variant', "CAST(N'5' AS nvarchar(5))", '"5"'],
];

describe('values', () => {
  test.for(cells)('of %s: %s is %s, and can be written again', async (cell, context) => {
    const [type, literal, json, real] = cell;
    if (real !== undefined && server().isBabelfish) context.skip(`Babelfish has no ${type}`);
    await run('DROP TABLE IF EXISTS cells');
    await run(`CREATE TABLE cells (v ${type})`);
    await run(`INSERT INTO cells (v) VALUES (${literal})`);
    const table = await tableOf('cells');
    const column = table.columns[0]!;
    expect(await select(table, [column])).toEqual([`{"v":${json}}`]);
    const value = readJsonValue({ node: parseExactJson(json), text: json }, column);
    const insert = {
      table: '[cells]',
      columns: ['[v]'],
      values: [param(value, column.type)],
      returning: [],
      assignedColumns: [column],
      returningColumns: [],
    };
    await current().run(render(dialect, writing.insertRow(insert)));
    expect(await select(table, [column])).toEqual([`{"v":${json}}`, `{"v":${json}}`]);
  });

  test('of raw SQL are exact too', async () => {
    const { columns, rows } = await current().run({
      text: "SELECT 12345678901234567890.0123456789 AS a, CAST(1.5 AS money) AS b, CAST('2026-01-31T13:05:00.25+02:00' AS datetimeoffset(3)) AS c, @p1 AS d",
      params: [9_007_199_254_740_993n],
    });
    expect(rows).toEqual([
      [
        '12345678901234567890.0123456789',
        '1.5000',
        '2026-01-31T13:05:00.25+02:00',
        9_007_199_254_740_993n,
      ],
    ]);
    expect(columns[0]).toMatchObject({ name: 'a', type: { kind: 'decimal', scale: 10 } });
  });
});

describe('writing', () => {
  test('returns the key, even with triggers', async () => {
    await run('CREATE TABLE audit (n int)');
    await run('CREATE TABLE watched (id int IDENTITY(10,5) PRIMARY KEY, t nvarchar(10))');
    await run(
      'CREATE TRIGGER watching ON watched AFTER INSERT, UPDATE, DELETE AS BEGIN INSERT INTO audit VALUES (1), (2), (3) END',
    );
    const { columns } = await tableOf('watched');
    const [id, t] = columns as [Column, Column];
    const insert = {
      table: '[watched]',
      columns: ['[t]'],
      values: [param('x', t.type)],
      returning: ['[id]'],
      assignedColumns: [t],
      returningColumns: [id],
    };
    const { rows } = await current().run(render(dialect, writing.insertRow(insert), [id]));
    expect(rows).toEqual([[10]]);
    const { rowsAffected } = await current().run({ text: 'DELETE FROM watched', params: [] });
    expect(rowsAffected).toBe(1);
    expect(await run('SELECT COUNT(*) FROM audit')).toEqual([[6]]);
  });

  test('in a transaction that fails changes nothing', async () => {
    await run('CREATE TABLE kept (id int PRIMARY KEY)');
    await expect(
      current().transaction('write', async (session) => {
        await session.run({ text: 'INSERT INTO kept VALUES (1)', params: [] });
        await session.run({ text: 'INSERT INTO kept VALUES (1)', params: [] });
      }),
    ).rejects.toMatchObject({ number: 2627 });
    expect(await run('SELECT * FROM kept')).toEqual([]);
  });

  test('in a read transaction is rolled back', async () => {
    await run('CREATE TABLE untouched (id int)');
    await current().transaction('read', (session) =>
      session.run({ text: 'INSERT INTO untouched VALUES (1)', params: [] }),
    );
    expect(await run('SELECT * FROM untouched')).toEqual([]);
  });
});

describe('a stream', () => {
  const numbers = (count: number): string =>
    `WITH d AS (SELECT n FROM (VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) AS d(n))
     SELECT TOP ${count} a.n + 10 * b.n + 100 * c.n + 1000 * e.n + 10000 * f.n AS n FROM d a, d b, d c, d e, d f`;

  test('of many rows returns all of them', async () => {
    const { batches } = await current().stream({ text: numbers(20_000), params: [] });
    let sum = 0;
    for await (const batch of batches) sum += batch.length;
    expect(sum).toBe(20_000);
  });

  test('that is closed early leaves its connection usable', async () => {
    const { batches } = await current().stream({ text: numbers(100_000), params: [] });
    for await (const batch of batches) if (batch.length > 0) break;
    expect(await run('SELECT 1')).toEqual([[1]]);
  });
});

describe('the structure', () => {
  test('that was read creates the same structure again', async () => {
    await run(
      'CREATE TABLE one (id int IDENTITY(1,1) CONSTRAINT pk_one PRIMARY KEY, n money NOT NULL CONSTRAINT ck_n CHECK (n > 0), d AS (n * 2))',
    );
    await run(
      'CREATE TABLE two (a int NOT NULL, b int NOT NULL, one_id int CONSTRAINT fk_one REFERENCES one (id) ON DELETE CASCADE, CONSTRAINT pk_two PRIMARY KEY (b, a), CONSTRAINT uq_two UNIQUE (one_id))',
    );
    const before = [await tableOf('one'), await tableOf('two')];
    await run('DROP TABLE two');
    await run('DROP TABLE one');
    const { statements } = createSchema(schemaOf(before), dialect.ddl, { native: true });
    for (const statement of statements) await run(statement);
    const after = [await tableOf('one'), await tableOf('two')];
    const structure = (tables: readonly Table[]): unknown =>
      tables.map(({ columns, primaryKey, foreignKeys, indexes, checks }) => ({
        columns: columns.map(({ name, nativeType, nullable, autoIncrement }) => ({
          name,
          nativeType,
          nullable,
          autoIncrement,
        })),
        primaryKey: primaryKey?.columns,
        foreignKeys,
        indexes: indexes.map(({ parts, unique, constraint }) => ({ parts, unique, constraint })),
        checks: checks.length,
      }));
    expect(structure(after)).toEqual(structure(before));
    expect(before[1]?.foreignKeys).toMatchObject([{ table: 'one', onDelete: 'cascade' }]);
  });

  test('returns comments', async () => {
    await run('CREATE TABLE commented (a int)');
    const comment = "Who's who";
    for (const statement of dialect.ddl.comments({
      ...(await tableOf('commented')),
      comment,
    }))
      await run(statement);
    expect(await tableOf('commented')).toMatchObject({ comment });
  });
});

describe('a statement', () => {
  test('ends at its time limit, and the next one works', async (context) => {
    if (server().isBabelfish)
      context.skip('Babelfish ignores attention signals while a query runs');
    await expect(
      current().run({ text: "WAITFOR DELAY '00:00:30'", params: [] }, { limitMs: 200 }),
    ).rejects.toMatchObject({ code: 'statement_timeout' });
    expect(await run('SELECT 1')).toEqual([[1]]);
  });

  test('reads from a snapshot if the database allows it', async (context) => {
    if (server().isBabelfish) context.skip('Babelfish does not support ALTER DATABASE');
    await server().query('ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON');
    const ownConnection = await openSqlserver({
      url: server().url,
      readOnly: false,
      create: false,
    });
    const [[level] = []] = await ownConnection.transaction('read', async (session) => {
      const text =
        'SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID';
      return (await session.run({ text, params: [] })).rows;
    });
    await ownConnection.close();
    expect(level).toBe(5);
  });
});
