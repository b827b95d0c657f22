/** Adapts a schema of another database to the target database, and the warnings about differences. */
import { describe, expect, test } from 'vitest';
import { expressionsOf } from '../../src/databases/all.ts';
import { createSchema } from '../../src/sql/create-schema.ts';
import { selectTables } from '../../src/sql/select-tables.ts';
import { translateSchema } from '../../src/sql/translate-schema.ts';
import { columnOf, schemaOf, tableOf } from './neutral-schema.ts';
import type { Column, ColumnType, ForeignKey, Schema, Table } from '../../src/model/schema.ts';
import type { SchemaStatements } from '../../src/sql/create-schema.ts';
import { databaseKinds } from '../databases/registered-databases.ts';
import type { Dialect } from '../databases/registered-databases.ts';

const dialectOf = (name: string): Dialect =>
  databaseKinds.find(({ dialect }) => dialect.name === name)!.dialect;

const statementsFor = (
  tables: readonly Table[],
  name: string,
  extras: Partial<Schema> = {},
): SchemaStatements =>
  createSchema(schemaOf(tables, extras), dialectOf(name).ddl, { native: false });

const int: ColumnType = { kind: 'integer', bits: 32 };
const bigint: ColumnType = { kind: 'integer', bits: 64 };
const text: ColumnType = { kind: 'text' };

const id = (type = bigint): Column => columnOf('id', type);
const idAsPrimaryKey = { primaryKey: { columns: ['id'] } };

const foreignKeyTo = (
  table: string,
  column: string,
  extras: Partial<ForeignKey> = {},
): ForeignKey => ({
  columns: [column],
  table,
  referencedColumns: ['id'],
  onUpdate: 'no action',
  onDelete: 'no action',
  ...extras,
});

describe('text columns in keys', () => {
  const users = tableOf(
    'users',
    [columnOf('id', text), columnOf('a', text), columnOf('b', text), columnOf('c', text)],
    {
      ...idAsPrimaryKey,
      indexes: [
        { name: 'ab', unique: true, parts: [{ column: 'a' }, { column: 'b' }] },
        { name: 'by_c', unique: false, parts: [{ column: 'c' }] },
      ],
    },
  );

  test('get a length limit on MySQL, where indexes cover only their prefixes', () => {
    const { statements, warnings } = statementsFor([users], 'mysql');
    expect(statements).toEqual([
      'CREATE TABLE `users` (\n  `id` varchar(768) NOT NULL,\n  `a` varchar(384) NOT NULL,\n  `b` varchar(384) NOT NULL,\n' +
        '  `c` longtext NOT NULL,\n  PRIMARY KEY (`id`),\n  UNIQUE KEY `ab` (`a`, `b`),\n  KEY `by_c` (`c`(768))\n)',
    ]);
    expect(warnings).toEqual([
      'users.id is limited to 768 characters, because it is part of a key.',
      'users.a is limited to 384 characters, because it is part of a key.',
      'users.b is limited to 384 characters, because it is part of a key.',
    ]);
  });

  test('get a length limit on SQL Server, which has no prefix indexes', () => {
    const { statements, warnings } = statementsFor([users], 'sqlserver');
    expect(statements[0]).toContain('[id] nvarchar(450) NOT NULL');
    expect(statements.join()).not.toContain('by_c');
    expect(warnings).toContain(
      'users: the index by_c is left out: the database cannot index the column c.',
    );
  });

  test.each(['sqlite', 'postgres'])('have no length limit on %s', (name) => {
    expect(statementsFor([users], name).warnings).toEqual([]);
  });
});

test('on MySQL, some of many long text columns lose their length limit', () => {
  const columns = ['a', 'b', 'c'].map((name, i) =>
    columnOf(name, { kind: 'text', length: 8000 + i }),
  );
  const { statements, warnings } = statementsFor([tableOf('t', columns)], 'mysql');
  expect(statements[0]).toContain('`a` varchar(8000) NOT NULL');
  expect(statements[0]).toContain('`c` longtext NOT NULL');
  expect(warnings).toEqual([
    't.c is created without its length limit: a row cannot hold so many characters.',
    't.b is created without its length limit: a row cannot hold so many characters.',
  ]);
});

describe('foreign keys of the adapted schema', () => {
  const users = tableOf('users', [id()], idAsPrimaryKey);

  test('get the type of the referenced column if the database requires it', () => {
    const posts = tableOf('posts', [id(), columnOf('user_id', int)], {
      ...idAsPrimaryKey,
      foreignKeys: [foreignKeyTo('users', 'user_id')],
    });
    const likes = tableOf('likes', [columnOf('id', int)], {
      ...idAsPrimaryKey,
      foreignKeys: [foreignKeyTo('posts', 'id')],
    });
    const chain = [
      likes,
      { ...posts, foreignKeys: [foreignKeyTo('users', 'user_id'), foreignKeyTo('users', 'id')] },
      users,
    ];
    const { statements, warnings } = statementsFor(chain, 'mysql');
    expect(statements.join()).not.toMatch(/`(?:user_id|id)` int\b/);
    expect(warnings).toEqual([
      'likes.id gets the type of posts.id, which it references.',
      'posts.user_id gets the type of users.id, which it references.',
    ]);
    expect(statementsFor(chain, 'postgres').warnings).toEqual([]);
  });

  test.each(['sqlite', 'postgres', 'mysql', 'sqlserver'])(
    'that the database would reject are left out on %s',
    (name) => {
      const posts = tableOf('posts', [id(), columnOf('user_id', bigint), columnOf('x', bigint)], {
        ...idAsPrimaryKey,
        foreignKeys: [
          foreignKeyTo('users', 'user_id', { referencedColumns: ['name'] }),
          foreignKeyTo('nobody', 'x'),
        ],
      });
      const { statements, warnings } = statementsFor(
        [{ ...users, columns: [id(), columnOf('name', bigint)] }, posts],
        name,
      );
      expect(statements.join()).not.toContain('FOREIGN KEY');
      expect(warnings).toEqual([
        'posts: the foreign key (user_id) is left out: users (name) is not a key.',
        'posts: the foreign key (x) is left out: there is no table nobody.',
      ]);
    },
  );

  test.each([
    ['mysql', 'set default', 'NO ACTION', 1],
    ['mysql', 'set null', 'NO ACTION', 1],
    ['sqlserver', 'set null', undefined, 1],
    ['sqlserver', 'restrict', undefined, 0],
    ['sqlserver', 'cascade', 'CASCADE', 0],
    ['postgres', 'set null', 'SET NULL', 0],
  ] as const)(
    'on %s, ON DELETE %s of a NOT NULL column becomes %s, with %d warnings',
    (name, onDelete, expectedAction, warningCount) => {
      const posts = tableOf('posts', [columnOf('user_id', bigint)], {
        foreignKeys: [foreignKeyTo('users', 'user_id', { onDelete })],
      });
      const { statements, warnings } = statementsFor([users, posts], name);
      const line = statements.find((statement) => statement.includes('FOREIGN KEY')) ?? '';
      expect(/ON DELETE ([A-Z ]+)/.exec(line)?.[1]).toBe(expectedAction);
      expect(warnings).toHaveLength(warningCount);
    },
  );

  test('have a single cascade path to a table on SQL Server', () => {
    const cascade = { onDelete: 'cascade' } as const;
    const keys = (...list: readonly ForeignKey[]): Partial<Table> => ({
      ...idAsPrimaryKey,
      foreignKeys: list,
    });
    const column = (name: string): Column => columnOf(name, bigint, { nullable: true });
    const tables = [
      tableOf('a', [id(), column('self')], keys(foreignKeyTo('a', 'self', cascade))),
      tableOf('b', [id(), column('a_id')], keys(foreignKeyTo('a', 'a_id', cascade))),
      tableOf('c', [id(), column('a_id')], keys(foreignKeyTo('a', 'a_id', cascade))),
      tableOf(
        'd',
        [id(), column('b_id'), column('c_id')],
        keys(
          foreignKeyTo('b', 'b_id', cascade),
          foreignKeyTo('c', 'c_id', { onUpdate: 'set null' }),
        ),
      ),
    ];
    expect(statementsFor(tables, 'sqlserver').warnings).toEqual([
      'a: the foreign key (self) is created without ON UPDATE and ON DELETE actions, which would form a cycle or a second cascade path to a table.',
      'd: the foreign key (c_id) is created without ON UPDATE and ON DELETE actions, which would form a cycle or a second cascade path to a table.',
    ]);
    expect(
      statementsFor(tables, 'sqlserver')
        .statements.join()
        .match(/ON DELETE CASCADE/g),
    ).toHaveLength(3);
    expect(statementsFor(tables, 'mysql').warnings).toEqual([]);
  });

  test('are deferred if the database supports it, and otherwise have a warning', () => {
    const posts = tableOf('posts', [columnOf('user_id', bigint)], {
      foreignKeys: [foreignKeyTo('users', 'user_id', { deferrable: 'deferred' })],
    });
    expect(statementsFor([users, posts], 'postgres').statements.join()).toContain(
      'DEFERRABLE INITIALLY DEFERRED',
    );
    expect(statementsFor([users, posts], 'mysql').warnings).toEqual([
      'posts: the foreign key (user_id) is checked immediately: the database cannot defer it to the commit.',
    ]);
  });
});

describe('indexes of the adapted schema', () => {
  const table = (indexes: Table['indexes']): readonly Table[] => [
    tableOf('t', [columnOf('a', int, { nullable: true }), columnOf('j', { kind: 'json' })], {
      indexes,
    }),
  ];

  test('that are partial stay partial, or are left out with a warning', () => {
    const partial = table([
      { name: 'u', unique: true, parts: [{ column: 'a' }], where: 'a > 0' },
      { name: 'p', unique: false, parts: [{ column: 'a' }], where: 'a > 0' },
    ]);
    expect(statementsFor(partial, 'mysql').warnings).toEqual([
      't: the unique index u is left out: the database has no partial indexes.',
      't: the index p covers all rows: the database has no partial indexes.',
    ]);
    expect(statementsFor(partial, 'sqlserver').statements.slice(1)).toEqual([
      'CREATE UNIQUE INDEX [u] ON [t] ([a]) WHERE (a > 0) AND [a] IS NOT NULL',
      'CREATE INDEX [p] ON [t] ([a]) WHERE a > 0',
    ]);
  });

  test('that are unique accept NULL more than once, on SQL Server too', () => {
    const unique = table([{ name: 'u', unique: true, constraint: true, parts: [{ column: 'a' }] }]);
    expect(statementsFor(unique, 'sqlserver').statements).toEqual([
      'CREATE TABLE [t] (\n  [a] int NULL,\n  [j] nvarchar(max) NOT NULL\n)',
      'CREATE UNIQUE INDEX [u] ON [t] ([a]) WHERE [a] IS NOT NULL',
    ]);
    const nullOnlyOnce = table([
      { name: 'u', unique: true, nullsNotDistinct: true, parts: [{ column: 'a' }] },
    ]);
    expect(statementsFor(nullOnlyOnce, 'sqlserver').statements[1]).toBe(
      'CREATE UNIQUE INDEX [u] ON [t] ([a])',
    );
    expect(statementsFor(nullOnlyOnce, 'sqlite').warnings).toEqual([
      't: the unique index u accepts NULL more than once.',
    ]);
  });

  test.each([
    ['fulltext', 'its method fulltext exists only in its source database'],
    ['gin', 'its method gin exists only in its source database'],
  ])('of the method %s are left out', (method, reason) => {
    const { statements, warnings } = statementsFor(
      table([{ name: 'x', unique: false, method, parts: [{ column: 'a' }] }]),
      'sqlite',
    );
    expect(statements).toHaveLength(1);
    expect(warnings).toEqual([`t: the index x is left out: ${reason}.`]);
  });

  test('with a prefix length cover the whole column elsewhere, and are not unique', () => {
    const prefix = table([{ name: 'x', unique: true, parts: [{ column: 'a', prefixLength: 3 }] }]);
    expect(statementsFor(prefix, 'postgres').statements[1]).toBe('CREATE INDEX "x" ON "t" ("a")');
    expect(statementsFor(prefix, 'postgres').warnings).toHaveLength(1);
    expect(statementsFor(prefix, 'mysql').statements[0]).toContain('UNIQUE KEY `x` (`a`(3))');
  });

  test.each(['mysql', 'sqlserver', 'postgres'])('of JSON columns are left out on %s', (name) => {
    const { warnings } = statementsFor(
      table([{ name: 'x', unique: false, parts: [{ column: 'j' }] }]),
      name,
    );
    expect(warnings).toEqual([
      't: the index x is left out: the database cannot index the column j.',
    ]);
  });
});

describe('native properties', () => {
  test('of tables, comments and auto-increment cause warnings in other databases', () => {
    const table = tableOf(
      't',
      [columnOf('a', int, { autoIncrement: true, comment: 'x' }), columnOf('b', int)],
      {
        primaryKey: { columns: ['a', 'b'] },
        options: { partition_by: 'RANGE (a)', ENGINE: 'InnoDB' },
        comment: 'y',
      },
    );
    expect(statementsFor([table], 'sqlite').warnings).toEqual([
      '2 comments are left out: the database does not store comments.',
      't.a is created without auto-increment: the database does not support it for this column.',
      't: it is partitioned (RANGE (a)) and becomes a single table.',
    ]);
  });

  test('are restored in the SQL of the same database', () => {
    const mysql = dialectOf('mysql').ddl;
    const table = tableOf(
      't',
      [
        columnOf(
          'at',
          { kind: 'timestamp', zone: true },
          {
            nativeType: 'timestamp',
            nullable: true,
            default: 'current_timestamp()',
            onUpdate: 'current_timestamp()',
          },
        ),
        columnOf('place', { kind: 'other', name: 'point srid 4326' }, { nativeType: 'point' }),
        columnOf('words', text, { nativeType: 'text', collation: 'utf8mb4_bin' }),
      ],
      {
        indexes: [
          { name: 'w', unique: false, method: 'fulltext', parts: [{ column: 'words' }] },
          {
            name: 'p',
            unique: false,
            method: 'spatial',
            parts: [{ column: 'place' }],
            comment: 'Where',
          },
          { name: 'b', unique: true, parts: [{ column: 'words', prefixLength: 10 }] },
        ],
        options: { ENGINE: 'InnoDB' },
      },
    );
    expect(createSchema(schemaOf([table]), mysql, { native: true })).toEqual({
      statements: [
        'CREATE TABLE `t` (\n  `at` timestamp NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),\n' +
          '  `place` point SRID 4326 NOT NULL,\n  `words` text COLLATE `utf8mb4_bin` NOT NULL,\n' +
          "  FULLTEXT KEY `w` (`words`),\n  SPATIAL KEY `p` (`place`) COMMENT 'Where',\n  UNIQUE KEY `b` (`words`(10))\n) ENGINE=InnoDB",
      ],
      afterRows: [],
      warnings: [],
    });
  });

  test('are left out if the schema does not contain them', () => {
    const sqlserver = dialectOf('sqlserver').ddl;
    const table = tableOf(
      't',
      [columnOf('a', text, { nativeType: '[dbo].[Phone]', nullable: true })],
      {
        indexes: [
          { name: 'c', unique: false, method: 'clustered columnstore', parts: [{ column: 'a' }] },
        ],
        options: { temporal: 'history' },
      },
    );
    const { statements, warnings } = createSchema(schemaOf([table]), sqlserver, { native: true });
    expect(statements).toEqual(['CREATE TABLE [t] (\n  [a] nvarchar(max) NULL\n)']);
    expect(warnings).toEqual([
      't: it is a temporal table (history) and becomes an ordinary one.',
      't.a becomes nvarchar(max): the type [dbo].[Phone] exists only in its source database.',
      't: the index c is left out: the database has no statement for an index of the method clustered columnstore.',
    ]);
  });

  test('are left out if they use functions or types that a file names without their definitions', () => {
    const { ddl } = dialectOf('postgres');
    const table = tableOf(
      't',
      [columnOf('a', int, { nativeType: 'integer', default: 'next_one()', nullable: true })],
      {
        checks: [
          { name: 'c', expression: `a < "Odd One"(a)` },
          { name: 'd', expression: 'a > abs(-1)' },
          { name: 'e', expression: "a::text <> 'x'::public.year::text" },
        ],
      },
    );
    const externalObjects = {
      extensions: ['pg_trgm'],
      routines: ['next_one', 'Odd One'],
      types: ['year'],
    };
    const { statements, warnings } = createSchema(schemaOf([table], { externalObjects }), ddl, {
      native: true,
    });
    expect(statements).toEqual([
      'CREATE EXTENSION IF NOT EXISTS "pg_trgm"',
      'CREATE TABLE "t" (\n  "a" integer,\n  CONSTRAINT "d" CHECK (a > abs(-1))\n)',
    ]);
    expect(warnings).toHaveLength(3);
  });
});

test('a schema of PostgreSQL is translated to each other database', () => {
  const posts = tableOf(
    'posts',
    [
      columnOf('id', int, {
        nativeType: 'integer',
        autoIncrement: true,
        default: "nextval('posts_id_seq'::regclass)",
      }),
      columnOf('done', { kind: 'boolean' }, { nativeType: 'boolean', default: 'false' }),
      columnOf(
        'at',
        { kind: 'timestamp', zone: true },
        { nativeType: 'timestamp with time zone', default: 'now()' },
      ),
    ],
    {
      namespace: 'public',
      primaryKey: { name: 'posts_pkey', columns: ['id'] },
      checks: [{ name: 'positive', expression: '((id > 0) AND (done OR (id < (100)::bigint)))' }],
    },
  );
  const translatedStatements = (name: string): readonly string[] => {
    const { ddl } = dialectOf(name);
    const from = expressionsOf(dialectOf('postgres'));
    const { schema, warnings } = translateSchema(schemaOf([posts]), {
      from,
      to: expressionsOf(dialectOf(name)),
      ddl,
    });
    expect(warnings).toEqual([]);
    const { statements, warnings: adaptWarnings } = createSchema(schema, ddl, { native: false });
    // MySQL and MariaDB reject a check of an auto-increment column, and their TIMESTAMP ends in 2038.
    const otherWarnings = adaptWarnings.filter(
      (text) =>
        !/the check .* is left out: .* the auto-increment column id|after 2038: posts\.at/.test(
          text,
        ),
    );
    expect([otherWarnings, adaptWarnings.length]).toEqual([[], name === 'mysql' ? 2 : 0]);
    return statements;
  };
  expect(translatedStatements('sqlserver')).toEqual([
    `CREATE TABLE [posts] (
  [id] int NOT NULL IDENTITY(1,1),
  [done] bit NOT NULL DEFAULT 0,
  [at] datetimeoffset(7) NOT NULL DEFAULT (SYSDATETIMEOFFSET()),
  CONSTRAINT [posts_pkey] PRIMARY KEY ([id]),
  CONSTRAINT [positive] CHECK ([id] > 0 AND ([done] = 1 OR [id] < 100))
)`,
  ]);
  expect(translatedStatements('mysql')[0]).toContain('`done` tinyint(1) NOT NULL DEFAULT FALSE');
  expect(translatedStatements('sqlite')[0]).toContain(
    '"id" INTEGER NOT NULL CONSTRAINT "posts_pkey" PRIMARY KEY AUTOINCREMENT',
  );
});

describe('information that a type loses in another database', () => {
  const zonedTimestamp = { kind: 'timestamp', precision: 7, zone: true } as const;
  const columns = [
    columnOf('a', { kind: 'timestamp', precision: 7 }, { nativeType: 'datetime2(7)' }),
    columnOf('b', { kind: 'time', precision: 7 }, { nativeType: 'time(7)' }),
    columnOf('c', zonedTimestamp, { nativeType: 'datetimeoffset(7)' }),
    columnOf('d', { kind: 'other', name: 'hierarchyid' }, { nativeType: 'hierarchyid' }),
    columnOf('e', { kind: 'untyped' }, { nativeType: 'sql_variant' }),
    columnOf('f', { kind: 'decimal', precision: 70, scale: 40 }, { nativeType: 'numeric(70,40)' }),
    columnOf('g', { kind: 'time', zone: true }, { nativeType: 'time with time zone' }),
    columnOf('h', { kind: 'timestamp', precision: 6 }, { nativeType: 'datetime2(6)' }),
  ];
  const fewerFractionalDigits =
    'These columns have 6 fractional digits of a second: t.a (datetime2(7)), t.b (time(7)), t.c (datetimeoffset(7)).';
  const becomeTexts =
    'These columns become texts, whose form the database does not check: t.d (hierarchyid)';
  const offsetIsLost =
    'These columns keep the instant of a value, and not its offset from UTC: t.c.';
  const offsetIsDropped = 'These columns have no offset from UTC: t.g.';
  const fewerDecimalDigits =
    'These columns hold fewer digits than their types: t.f (numeric(70,40)).';

  test.each([
    ['postgres', [`${becomeTexts}, t.e (sql_variant).`, fewerFractionalDigits, offsetIsLost]],
    ['mysql', [`${becomeTexts}, t.e (sql_variant).`, fewerFractionalDigits, offsetIsLost, offsetIsDropped, 'These columns hold no times before 1970 or after 2038: t.c.', fewerDecimalDigits]], // prettier-ignore
    ['sqlite', [`${becomeTexts}.`]],
  ] as const)('is named in a warning: to %s', (name, expected) => {
    expect(statementsFor([tableOf('t', columns)], name).warnings).toEqual(expected);
  });
});

test('selectTables returns only the enums that the selected tables use', () => {
  const mood: ColumnType = { kind: 'array', of: { kind: 'enum', name: 'mood', values: ['a'] } };
  const schema = schemaOf([tableOf('one', [columnOf('m', mood)]), tableOf('two', [id()])], {
    enums: [
      { name: 'mood', values: ['a'] },
      { name: 'unused', values: ['b'] },
    ],
  });
  expect(selectTables(schema, new Set(['one'])).schema).toMatchObject({
    tables: [{ name: 'one' }],
    enums: [{ name: 'mood' }],
  });
  expect(selectTables(schema, new Set(['two'])).schema.enums).toEqual([]);
});
