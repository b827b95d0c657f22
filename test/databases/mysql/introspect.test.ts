import { beforeAll, describe, expect, test } from 'vitest';

import { tableOf, useDatabase } from './open-test-database.ts';
import type { Column, Schema, Table } from '../../../src/model/schema.ts';

const script = `
CREATE TABLE parent (
  id int unsigned NOT NULL AUTO_INCREMENT,
  code varchar(20) NOT NULL COMMENT 'it''s a \\\\ code',
  region char(2) NOT NULL,
  body text,
  place point NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY by_code (code),
  UNIQUE KEY by_prefix (region, body(10)),
  KEY downward (code, region DESC),
  FULLTEXT KEY words (body),
  SPATIAL KEY places (place)
) COMMENT='the ''parent''' ROW_FORMAT=DYNAMIC;
CREATE TABLE composite (region char(2), number int, PRIMARY KEY (number, region));
CREATE TABLE child (
  parent_id int unsigned,
  region char(2),
  number int,
  name varchar(10) DEFAULT 'it''s',
  created datetime(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
  touched timestamp NULL,
  doc json,
  choice enum('x','it''s','a,b') NOT NULL DEFAULT 'x',
  flags set('p','q'),
  price decimal(10,2) unsigned DEFAULT 1.50,
  bits bit(4) DEFAULT b'101',
  active boolean DEFAULT true,
  spoken text DEFAULT ('abc'),
  id_text char(36) DEFAULT (uuid()),
  doubled int AS (number * 2) STORED,
  label varchar(30) AS (concat(name, 'x''y')) VIRTUAL,
  loud varchar(10) CHARACTER SET latin1 COLLATE latin1_bin,
  CONSTRAINT positive CHECK (number > 0),
  CONSTRAINT other_name CHECK (name <> 'it''s not'),
  CONSTRAINT to_parent FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE SET NULL,
  CONSTRAINT to_composite FOREIGN KEY (number, region) REFERENCES composite (number, region)
);
CREATE TABLE \`Mixed Case \`\`quoted\`\` ☃\` (\`a b\` int PRIMARY KEY, \`select\` int, deleted_at datetime(3) NULL);
CREATE TABLE no_key (a int);
CREATE VIEW cheap AS SELECT number, price FROM child WHERE price < 10;
`;

const open = useDatabase(script);
let schema: Schema;
beforeAll(async () => {
  schema = await open()
    .database.introspect()
    .catch(() => ({ database: '', serverVersion: '', tables: [], views: [], enums: [] }));
});

const table = (name: string): Table => tableOf(schema, name);

function column(of: string, name: string): Column {
  const found = table(of).columns.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`There is no column ${of}.${name}.`);
  return found;
}

test('the database, its version, tables and views are listed by name', () => {
  expect(schema.database).toBe(open().server.name);
  expect(schema.serverVersion).toMatch(/^\d+\.\d+\.\d+/);
  expect(schema.tables.map(({ name }) => name).toSorted()).toEqual([
    'Mixed Case `quoted` ☃',
    'child',
    'composite',
    'no_key',
    'parent',
  ]);
  expect(schema.views.map(({ name, kind }) => [name, kind])).toEqual([['cheap', 'view']]);
});

test('a table has its key, comment and options', () => {
  expect(table('parent')).toMatchObject({
    kind: 'table',
    primaryKey: { columns: ['id'] },
    comment: "the 'parent'",
    options: { ENGINE: 'InnoDB', ROW_FORMAT: 'DYNAMIC' },
  });
  expect(table('composite').primaryKey).toEqual({ columns: ['number', 'region'] });
  expect(table('no_key').primaryKey).toBeUndefined();
});

describe('a column', () => {
  test('with AUTO_INCREMENT says so', () => {
    expect(column('parent', 'id')).toMatchObject({
      autoIncrement: true,
      nullable: false,
      type: { kind: 'integer', bits: 32, unsigned: true },
    });
  });

  test('has its comment', () => {
    expect(column('parent', 'code').comment).toBe("it's a \\ code");
  });

  test.each([
    ['name', "'it''s'"],
    ['choice', "'x'"],
    ['price', '1.50'],
    ['bits', "b'101'"],
    ['active', '1'],
    ['id_text', 'uuid()'],
  ])('%s has its default as an expression: %s', (name, expression) => {
    expect(column('child', name).default).toBe(expression);
  });

  test.each(['parent_id', 'touched', 'flags'])('%s has no default', (name) => {
    expect(column('child', name).default).toBeUndefined();
  });

  test('of text has an expression for its default, its quotes unescaped', () => {
    expect(column('child', 'spoken').default).toMatch(/^(?:_utf8mb4)?'abc'$/);
  });

  test('reports ON UPDATE in addition to its default', () => {
    expect(column('child', 'created').default?.toLowerCase()).toBe('current_timestamp(3)');
    expect(column('child', 'created').onUpdate?.toLowerCase()).toBe('current_timestamp(3)');
  });

  test('that is generated has its expression', () => {
    expect(column('child', 'doubled').generated).toEqual({
      expression: expect.stringMatching(/^\(?`number` \* 2\)?$/),
      stored: true,
    });
    expect(column('child', 'label').generated).toEqual({
      expression: expect.stringMatching(/^concat\(`name`,(?:_utf8mb4)?'x\\'y'\)$/),
      stored: false,
    });
    expect(column('child', 'label').default).toBeUndefined();
  });

  test.each([
    ['doc', { kind: 'json' }],
    ['choice', { kind: 'enum', values: ['x', "it's", 'a,b'] }],
    ['flags', { kind: 'set', values: ['p', 'q'] }],
    ['price', { kind: 'decimal', precision: 10, scale: 2 }],
    ['bits', { kind: 'bits', length: 4 }],
    ['active', { kind: 'boolean' }],
    ['created', { kind: 'timestamp', precision: 3 }],
    ['touched', { kind: 'timestamp', precision: 0, zone: true }],
    ['id_text', { kind: 'text', length: 36, fixed: true }],
  ])('%s is of the type %o', (name, type) => {
    expect(column('child', name).type).toEqual(type);
  });

  test("reports a collation that differs from its table's", () => {
    expect(column('child', 'loud').collation).toBe('latin1_bin');
    expect(column('child', 'name').collation).toBeUndefined();
  });
});

test('indexes have their columns, order, prefixes and method', () => {
  const indexes = Object.fromEntries(table('parent').indexes.map((index) => [index.name, index]));
  expect(indexes).toEqual({
    by_code: { name: 'by_code', unique: true, parts: [{ column: 'code' }], constraint: true },
    by_prefix: {
      name: 'by_prefix',
      unique: true,
      parts: [{ column: 'region' }, { column: 'body', prefixLength: 10 }],
    },
    downward: {
      name: 'downward',
      unique: false,
      parts: [{ column: 'code' }, { column: 'region', descending: true }],
    },
    words: { name: 'words', unique: false, parts: [{ column: 'body' }], method: 'fulltext' },
    places: {
      name: 'places',
      unique: false,
      parts: [{ column: 'place' }],
      method: expect.stringMatching(/^(?:spatial|rtree)$/),
    },
  });
});

test('an index of an expression has the expression', async ({ skip }) => {
  const { server, database } = open();
  if (server.isMariadb) skip('MariaDB has no such indexes');
  await server.query(
    "CREATE TABLE functional (n int, t varchar(20), KEY fx ((n * 2), (concat(t, 'a''b'))))",
  );
  expect(tableOf(await database.introspect(), 'functional').indexes[0]?.parts).toEqual([
    { expression: '(`n` * 2)' },
    { expression: "concat(`t`,_utf8mb4'a\\'b')" },
  ]);
});

test('foreign keys have their columns in order, and their actions', () => {
  const keys = Object.fromEntries(table('child').foreignKeys.map((key) => [key.name, key]));
  expect(keys['to_parent']).toEqual({
    name: 'to_parent',
    columns: ['parent_id'],
    table: 'parent',
    referencedColumns: ['id'],
    onDelete: 'cascade',
    onUpdate: 'set null',
  });
  expect(keys['to_composite']).toMatchObject({
    columns: ['number', 'region'],
    table: 'composite',
    referencedColumns: ['number', 'region'],
    onDelete: expect.stringMatching(/^(?:restrict|no action)$/),
  });
});

test('checks have their names and expressions', () => {
  const checks = Object.fromEntries(
    table('child').checks.map(({ name, expression }) => [name, expression]),
  );
  expect(checks['positive']).toMatch(/^\(?`number` > 0\)?$/);
  expect(checks['other_name']).toMatch(/^\(?`name` <> (?:_utf8mb4)?'it\\'s not'\)?$/);
});

test("a view has its columns and its definition without the database's name", () => {
  const view = table('cheap');
  expect(view.columns.map(({ name }) => name)).toEqual(['number', 'price']);
  expect(view.definition).toMatch(/^select .* from `child` where /);
  expect(view.definition).not.toContain(open().server.name);
});

test('a nullable deleted_at marks deleted rows', () => {
  expect(table('Mixed Case `quoted` ☃').softDelete).toEqual({
    column: 'deleted_at',
    mode: 'time',
  });
});

test('a foreign key to another database includes the name of that database', async () => {
  const { server, database } = open();
  const other = `${server.name}_other`;
  await server.query(`CREATE DATABASE ${other}; CREATE TABLE ${other}.far (id int PRIMARY KEY);
    CREATE TABLE near (far_id int, FOREIGN KEY (far_id) REFERENCES ${other}.far (id))`);
  const [key] = tableOf(await database.introspect(), 'near').foreignKeys;
  expect(key?.table).toBe(`${other}.far`);
  await server.query(`DROP TABLE near; DROP DATABASE ${other}`);
});

test('features of MariaDB are read', async ({ skip }) => {
  const { server, database } = open();
  if (!server.isMariadb) skip('the server is MySQL');
  await server.query(`CREATE SEQUENCE numbers;
    CREATE TABLE versioned (id int PRIMARY KEY, u uuid, i inet6, hidden int INVISIBLE DEFAULT 3) WITH SYSTEM VERSIONING;
    CREATE TABLE both_checks (doc json CHECK (json_valid(doc)), plain longtext)`);
  const found = await database.introspect();
  expect(found.tables.map(({ name }) => name)).not.toContain('numbers');
  const versioned = tableOf(found, 'versioned');
  expect(
    versioned.columns.map(({ name, type, default: defaultText }) => ({
      name,
      kind: type.kind,
      defaultText,
    })),
  ).toEqual([
    { name: 'id', kind: 'integer', defaultText: undefined },
    { name: 'u', kind: 'uuid', defaultText: undefined },
    { name: 'i', kind: 'other', defaultText: undefined },
    { name: 'hidden', kind: 'integer', defaultText: '3' },
  ]);
  expect(tableOf(found, 'both_checks').columns.map(({ type }) => type.kind)).toEqual([
    'json',
    'text',
  ]);
});

test('features of MySQL are read', async ({ skip }) => {
  const { server, database } = open();
  if (server.isMariadb) skip('the server is MariaDB');
  await server.query(
    'CREATE TABLE places (at point NOT NULL SRID 4326, hidden int INVISIBLE DEFAULT 3)',
  );
  const places = tableOf(await database.introspect(), 'places');
  expect(places.columns.map(({ type }) => type)).toEqual([
    { kind: 'other', name: 'point srid 4326' },
    { kind: 'integer', bits: 32 },
  ]);
});

test('a broken view is listed with its known columns', async () => {
  const { server, database } = open();
  await server.query(
    'CREATE TABLE gone (a int); CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone',
  );
  expect(tableOf(await database.introspect(), 'broken').kind).toBe('view');
  await server.query('DROP VIEW broken');
});
