import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { introspectTable, makeDatabase, run } from './fixture.ts';
import type { Table } from '../../../src/model/schema.ts';

const only = async (sql: string, name = 't'): Promise<Table> =>
  introspectTable(makeDatabase(sql), name);

describe('a table', () => {
  test('returns its columns as declared', async () => {
    const { columns } =
      await only(`CREATE TABLE t (Id integer, "two words" VARCHAR(20) NOT NULL DEFAULT 'it''s' COLLATE NOCASE,
      x, price decimal(10,2) DEFAULT (1 + 2), at DATETIME DEFAULT CURRENT_TIMESTAMP)`);
    expect(columns).toEqual([
      {
        name: 'Id',
        type: { kind: 'integer', bits: 64 },
        nativeType: 'INTEGER',
        nullable: true,
        dynamic: true,
      },
      {
        name: 'two words',
        type: { kind: 'text', length: 20 },
        nativeType: 'VARCHAR(20)',
        nullable: false,
        default: `'it''s'`,
        collation: 'NOCASE',
        dynamic: true,
      },
      { name: 'x', type: { kind: 'untyped' }, nativeType: '', nullable: true, dynamic: true },
      {
        name: 'price',
        type: { kind: 'decimal', precision: 10, scale: 2 },
        nativeType: 'decimal(10,2)',
        nullable: true,
        default: '1 + 2',
        dynamic: true,
      },
      {
        name: 'at',
        type: { kind: 'timestamp' },
        convertsDigits: true,
        nativeType: 'DATETIME',
        nullable: true,
        default: 'CURRENT_TIMESTAMP',
        dynamic: true,
      },
    ]);
  });

  test('returns generated columns', async () => {
    const { columns } = await only(
      'CREATE TABLE t (a INT, b INT AS (a * 2), c TEXT GENERATED ALWAYS AS (a || "b") STORED)',
    );
    expect(
      columns.map(({ name, nativeType, generated }) => ({ name, nativeType, generated })),
    ).toEqual([
      { name: 'a', nativeType: 'INT', generated: undefined },
      { name: 'b', nativeType: 'INT', generated: { expression: 'a * 2', stored: false } },
      { name: 'c', nativeType: 'TEXT', generated: { expression: 'a || "b"', stored: true } },
    ]);
  });

  test('with INTEGER PRIMARY KEY has an auto-increment key and no hidden rowid', async () => {
    const table = await only('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
    expect(table.columns[0]).toMatchObject({ autoIncrement: true, nullable: false });
    expect(table.primaryKey).toEqual({ columns: ['id'] });
    expect(table).not.toHaveProperty('rowIdColumn');
    expect(table).not.toHaveProperty('nullableKey');
    expect(table).not.toHaveProperty('options');
    expect((await only('CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)')).options).toEqual({
      AUTOINCREMENT: 'true',
    });
  });

  test.each(['INT PRIMARY KEY', 'INTEGER PRIMARY KEY DESC', 'TEXT PRIMARY KEY'])(
    'with %s can have NULL in its key',
    async (key) => {
      const table = await only(`CREATE TABLE t (id ${key})`);
      expect(table.columns[0]).not.toHaveProperty('autoIncrement');
      expect(table).toMatchObject({
        nullableKey: true,
        rowIdColumn: 'rowid',
        columns: [{ nullable: true }],
      });
    },
  );

  test('returns its composite key in key order, with the name of the constraint', async () => {
    const table = await only(
      'CREATE TABLE t (a INT NOT NULL, b TEXT NOT NULL, c, CONSTRAINT "the key" PRIMARY KEY (b, a))',
    );
    expect(table.primaryKey).toEqual({ name: 'the key', columns: ['b', 'a'] });
    expect(table).not.toHaveProperty('nullableKey');
    expect(table.rowIdColumn).toBe('rowid');
    expect(table.indexes).toEqual([]);
  });

  test('WITHOUT ROWID has no rowid and no NULL in its key; STRICT is reported too', async () => {
    const table = await only(
      'CREATE TABLE t (a TEXT, b ANY, i INT, PRIMARY KEY (a, i)) STRICT, WITHOUT ROWID',
    );
    expect(table.options).toEqual({ STRICT: 'true', 'WITHOUT ROWID': 'true' });
    expect(table).not.toHaveProperty('rowIdColumn');
    expect(table).not.toHaveProperty('nullableKey');
    expect(table.columns.map(({ type, nullable }) => [type.kind, nullable])).toEqual([
      ['text', false],
      ['untyped', true],
      ['integer', false],
    ]);
  });

  test.each([
    ['a', 'rowid'],
    ['ROWID', '_rowid_'],
    ['rowid, _RowId_', 'oid'],
    ['rowid, _rowid_, oid', undefined],
  ])('with the columns %s has the rowid column %s', async (columns, name) => {
    expect((await only(`CREATE TABLE t (${columns})`)).rowIdColumn).toBe(name);
  });

  test('distinguishes unique constraints from indexes', async () => {
    const { indexes } =
      await only(`CREATE TABLE t (a TEXT COLLATE NOCASE UNIQUE, b, c, CONSTRAINT bc UNIQUE (b, c));
      CREATE UNIQUE INDEX i1 ON t (b DESC, a COLLATE BINARY);
      CREATE INDEX i2 ON t (lower(a) COLLATE NOCASE, c) WHERE c > 0;
      CREATE INDEX "i 3" ON t (a)`);
    expect(indexes).toEqual([
      { name: '', unique: true, constraint: true, parts: [{ column: 'a' }] },
      { name: 'bc', unique: true, constraint: true, parts: [{ column: 'b' }, { column: 'c' }] },
      {
        name: 'i1',
        unique: true,
        parts: [
          { column: 'b', descending: true },
          { column: 'a', collation: 'BINARY' },
        ],
      },
      {
        name: 'i2',
        unique: false,
        parts: [{ expression: 'lower(a)', collation: 'NOCASE' }, { column: 'c' }],
        where: 'c > 0',
      },
      { name: 'i 3', unique: false, parts: [{ column: 'a' }] },
    ]);
  });

  test('distinguishes tables whose names differ in the case of non-ASCII letters', async () => {
    const { foreignKeys } = await only(`CREATE TABLE "Ärzte" (id INTEGER PRIMARY KEY);
      CREATE TABLE "ärzte" (nr INTEGER PRIMARY KEY);
      CREATE TABLE t (a INT REFERENCES "ärzte", b INT REFERENCES "ÄRZTE")`);
    expect(foreignKeys).toMatchObject([
      { columns: ['a'], table: 'ärzte', referencedColumns: ['nr'] },
      { columns: ['b'], table: 'Ärzte', referencedColumns: ['id'] },
    ]);
  });

  test('returns foreign keys with the exact names of their targets', async () => {
    const { foreignKeys } =
      await only(`CREATE TABLE Target (Id INTEGER PRIMARY KEY, X, Y, UNIQUE (X, Y));
      CREATE TABLE pair (a, b, PRIMARY KEY (b, a));
      CREATE TABLE t (a INT REFERENCES target,
        b INT CONSTRAINT fb REFERENCES TARGET (id) ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
        c, d REFERENCES missing, e REFERENCES gone (z) ON DELETE SET DEFAULT ON UPDATE RESTRICT,
        FOREIGN KEY (a, b) REFERENCES target (y, x), FOREIGN KEY (b, c) REFERENCES pair)`);
    const none = { onUpdate: 'no action', onDelete: 'no action' };
    expect(foreignKeys).toEqual([
      { columns: ['a'], table: 'Target', referencedColumns: ['Id'], ...none },
      {
        name: 'fb',
        columns: ['b'],
        table: 'Target',
        referencedColumns: ['Id'],
        onDelete: 'cascade',
        onUpdate: 'set null',
        deferrable: 'deferred',
      },
      { columns: ['d'], table: 'missing', referencedColumns: [], ...none },
      {
        columns: ['e'],
        table: 'gone',
        referencedColumns: ['z'],
        onDelete: 'set default',
        onUpdate: 'restrict',
      },
      { columns: ['a', 'b'], table: 'Target', referencedColumns: ['Y', 'X'], ...none },
      { columns: ['b', 'c'], table: 'pair', referencedColumns: ['b', 'a'], ...none },
    ]);
  });

  test.each([
    ['deleted_at DATETIME', { column: 'deleted_at', mode: 'time' }],
    ['Deleted_At timestamp', { column: 'Deleted_At', mode: 'time' }],
    ['deleted_at DATE', { column: 'deleted_at', mode: 'time' }],
    ['deleted_at TEXT', undefined],
    ['deleted_at INTEGER', undefined],
    ['deleted_at DATETIME NOT NULL', undefined],
  ])('with the column %s has the soft-delete column %o', async (column, softDelete) => {
    expect((await only(`CREATE TABLE t (id INTEGER PRIMARY KEY, ${column})`)).softDelete).toEqual(
      softDelete,
    );
  });

  test('that ALTER TABLE has changed has its current structure', async () => {
    const table =
      await only(`CREATE TABLE t0 (a CHECK (a > 0)); ALTER TABLE t0 RENAME COLUMN a TO "new name"; ALTER TABLE t0 RENAME TO t;
      ALTER TABLE t ADD COLUMN b TEXT COLLATE NOCASE CHECK (b <> '')`);
    expect(table.columns.map(({ name }) => name)).toEqual(['new name', 'b']);
    expect(table.checks).toEqual([{ expression: '"new name" > 0' }, { expression: `b <> ''` }]);
    expect(table.columns[1]?.collation).toBe('NOCASE');
  });
});

describe('a schema', () => {
  test('lists tables and views separately in order of creation, without internal ones', async () => {
    const database =
      makeDatabase(`CREATE TABLE z (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO z DEFAULT VALUES; CREATE TABLE a (b);
      CREATE INDEX i ON a (b); ANALYZE; CREATE VIEW v AS SELECT * FROM z; CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT 1; END;
      CREATE TABLE sqliteish (x)`);
    const { tables, views, database: name, serverVersion } = await database.introspect();
    expect(tables.map((table) => table.name)).toEqual(['z', 'a', 'sqliteish']);
    expect(views.map((view) => view.name)).toEqual(['v']);
    expect(name).toBe('test.db');
    expect(serverVersion).toMatch(/^3\.\d+\.\d+$/);
  });

  test('returns the columns of a view with their types', async () => {
    const view = await only(
      'CREATE TABLE t (Id INTEGER PRIMARY KEY, name VARCHAR(9)); CREATE VIEW v AS SELECT id, name AS n, id + 1 AS next FROM t',
      'v',
    );
    expect(view).toMatchObject({
      kind: 'view',
      definition: 'SELECT id, name AS n, id + 1 AS next FROM t',
    });
    expect(view.columns.map(({ name, nativeType, type }) => [name, nativeType, type.kind])).toEqual(
      [
        ['Id', 'INTEGER', 'integer'],
        ['n', 'VARCHAR(9)', 'text'],
        ['next', '', 'untyped'],
      ],
    );
  });

  test('is returned even if a view is broken', async () => {
    const { tables, views } = await makeDatabase(
      'CREATE TABLE t (a); CREATE TABLE gone (b); CREATE VIEW v AS SELECT b FROM gone; CREATE VIEW w AS SELECT a FROM t; PRAGMA legacy_alter_table = ON; DROP TABLE gone',
    ).introspect();
    expect(tables.map(({ name }) => name)).toEqual(['t']);
    expect(views).toMatchObject([
      {
        name: 'v',
        columns: [],
        definition: 'SELECT b FROM gone',
        comment: 'It cannot be read: no such table: main.gone.',
      },
      { name: 'w', columns: [{ name: 'a' }] },
    ]);
  });

  test('lists virtual tables without their hidden columns and shadow tables', async () => {
    const database =
      makeDatabase(`CREATE VIRTUAL TABLE docs USING fts5(title, body); CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
      INSERT INTO docs VALUES ('hello', 'world')`);
    const { tables } = await database.introspect();
    expect(
      tables.map(({ name, options, columns }) => [
        name,
        options,
        columns.map((column) => column.name),
      ]),
    ).toEqual([
      ['docs', { VIRTUAL: 'fts5(title, body)' }, ['title', 'body']],
      ['boxes', { VIRTUAL: 'rtree(id, x0, x1)' }, ['id', 'x0', 'x1']],
    ]);
    const docs = tables[0]!;
    expect((await run(database, `SELECT ${docs.rowIdColumn ?? ''}, title FROM docs`)).rows).toEqual(
      [[1n, 'hello']],
    );
  });

  test('may have no tables, or a table of a thousand columns', async () => {
    expect((await makeDatabase().introspect()).tables).toEqual([]);
    const names = Array.from({ length: 1000 }, (_, i) => `c${i}`);
    expect(
      (await only(`CREATE TABLE t (${names.join(', ')})`)).columns.map(({ name }) => name),
    ).toEqual(names);
  });

  test('can have any names', async () => {
    const special = fc.constantFrom(
      '"',
      "'",
      '`',
      '[',
      ']',
      '\n',
      '😀',
      '.',
      ',',
      ' ',
      '--',
      '/*',
      ';',
      '(',
      ')',
      'select',
      'é',
      '%',
      '?1',
      ':a',
      '\\',
    );
    const name = fc
      .array(fc.oneof(special, fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('').replaceAll('\0', ''))
      .filter((text) => text !== '' && text.isWellFormed() && !/^sqlite_/i.test(text));
    await fc.assert(
      fc.asyncProperty(name, name, name, async (tableName, one, two) => {
        fc.pre(one.toLowerCase() !== two.toLowerCase());
        const database = makeDatabase();
        const { dialect } = database;
        const [t, a, b] = [tableName, one, two].map((text) => dialect.quoteName(text));
        await run(
          database,
          `CREATE TABLE ${t} (${a} TEXT COLLATE NOCASE CHECK (${a} <> '') UNIQUE, ${b} INT CONSTRAINT ${a} REFERENCES ${t} (${a}), PRIMARY KEY (${b}, ${a}))`,
        );
        await run(
          database,
          `CREATE INDEX ${dialect.quoteName(`i${tableName}`)} ON ${t} (${b} || 'x') WHERE ${a} > ''`,
        );
        const table = await introspectTable(database, tableName);
        expect(table).toMatchObject({
          columns: [{ name: one, collation: 'NOCASE' }, { name: two }],
          primaryKey: { columns: [two, one] },
          checks: [{ expression: `${a} <> ''` }],
          foreignKeys: [{ name: one, columns: [two], table: tableName, referencedColumns: [one] }],
          indexes: [
            { constraint: true, name: '' },
            { name: `i${tableName}`, parts: [{ expression: `${b} || 'x'` }], where: `${a} > ''` },
          ],
        });
        await run(database, `INSERT INTO ${dialect.tableName(table)} VALUES (?, NULL)`, 'v');
        const { rows, columns } = await run(database, `SELECT * FROM ${t}`);
        expect([rows, columns.map((column) => column.name)]).toEqual([[['v', null]], [one, two]]);
        await database.close();
      }),
      { numRuns: 60 },
    );
  });
});
