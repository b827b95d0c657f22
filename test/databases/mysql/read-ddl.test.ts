import { describe, expect, test } from 'vitest';

import {
  readDdl as read,
  readSchema as schemaOf,
  readTable as tableOf,
} from '../../sql/ddl/read-ddl.ts';
import type { Column } from '../../../src/model/schema.ts';

const readSchema = (text: string): ReturnType<typeof schemaOf> => schemaOf('mysql', text);
const readTable = (text: string, name?: string): ReturnType<typeof tableOf> =>
  tableOf('mysql', text, name);

async function readColumn(definition: string): Promise<Column> {
  const { columns } = await readTable(`CREATE TABLE t (${definition})`);
  return columns[0]!;
}

describe('types', () => {
  test.each([
    ['INTEGER', 'int', { kind: 'integer', bits: 32 }],
    [
      'INT(11) UNSIGNED ZEROFILL',
      'int(11) unsigned zerofill',
      { kind: 'integer', bits: 32, unsigned: true },
    ],
    ['BIGINT UNSIGNED', 'bigint unsigned', { kind: 'integer', bits: 64, unsigned: true }],
    ['BOOL', 'tinyint(1)', { kind: 'boolean' }],
    ['BIT', 'bit(1)', { kind: 'boolean' }],
    ['NUMERIC', 'decimal(10,0)', { kind: 'decimal', precision: 10, scale: 0 }],
    ['DEC(5, 2)', 'decimal(5,2)', { kind: 'decimal', precision: 5, scale: 2 }],
    ['DOUBLE PRECISION', 'double', { kind: 'float', bits: 64 }],
    ['FLOAT(7,3)', 'float(7,3)', { kind: 'float', bits: 32 }],
    ['FLOAT(53)', 'double', { kind: 'float', bits: 64 }],
    ['CHARACTER VARYING(20)', 'varchar(20)', { kind: 'text', length: 20 }],
    ['NATIONAL CHAR(2)', 'char(2) character set utf8mb3', { kind: 'text', length: 2, fixed: true }],
    [
      'VARCHAR(9) CHARACTER SET latin1',
      'varchar(9) character set latin1',
      { kind: 'text', length: 9 },
    ],
    ['TEXT(70000)', 'mediumtext', { kind: 'text' }],
    ['LONG VARBINARY', 'mediumblob', { kind: 'binary' }],
    [
      `ENUM('a', 'it''s', "b\\'c ")`,
      `enum('a','it''s','b''c')`,
      { kind: 'enum', values: ['a', "it's", "b'c"] },
    ],
    ["SET('x','y')", "set('x','y')", { kind: 'set', values: ['x', 'y'] }],
    ['DATETIME(6)', 'datetime(6)', { kind: 'timestamp', precision: 6 }],
    ['YEAR(4)', 'year', { kind: 'integer', bits: 16, unsigned: true }],
    ['JSON', 'json', { kind: 'json' }],
  ])('%s', async (written, nativeType, type) => {
    expect(await readColumn(`a ${written}`)).toMatchObject({ nativeType, type });
  });

  test('that are unknown are reported with their position', async () => {
    const { problems } = await read('mysql', 'CREATE TABLE t (\n  a VARCHR(3)\n)');
    expect(problems).toEqual([
      {
        code: 'parse_failed',
        message: '"VARCHR" was found where a type is expected.',
        line: 2,
        column: 5,
      },
    ]);
  });
});

describe('versioned tables and periods of MariaDB', () => {
  const period = (name: string): string => `PERIOD FOR ${name} (\`a\`, \`b\`)`;

  test.each([
    ['PERIOD FOR system_time (a, b)', period('SYSTEM_TIME')],
    ['PERIOD FOR `sys``tem` (a, b)', period('`sys``tem`')],
    [
      'PERIOD FOR p (a, b), UNIQUE (c, p WITHOUT OVERLAPS)',
      `${period('`p`')},\n  UNIQUE KEY (\`c\`, \`p\` WITHOUT OVERLAPS)`,
    ],
    ['CONSTRAINT u UNIQUE KEY (p WITHOUT OVERLAPS)', 'UNIQUE KEY `u` (`p` WITHOUT OVERLAPS)'],
    ['PRIMARY KEY (c, p WITHOUT OVERLAPS)', 'PRIMARY KEY (`c`, `p` WITHOUT OVERLAPS)'],
  ])('%s', async (item, constraints) => {
    const { options } = await readTable(`CREATE TABLE t (a DATE, b DATE, c INT, ${item})`);
    expect(options).toEqual({ constraints });
  });

  test.each(['WITH SYSTEM VERSIONING', '; ALTER TABLE t ADD SYSTEM VERSIONING'])(
    '%s',
    async (clause) => {
      const { options } = await readTable(`CREATE TABLE t (a INT) ${clause}`);
      expect(options).toEqual({ temporal: 'SYSTEM VERSIONING' });
    },
  );

  test.each([
    ['PERIOD FOR p (a)', 'the second column of the period'],
    ['UNIQUE (p WITHOUT OVERLAPS, c)', '"WITHOUT" was found'],
  ])('%s is an error', async (item, message) => {
    const { problems } = await read('mysql', `CREATE TABLE t (a DATE, b DATE, ${item})`);
    expect(problems[0]?.message).toContain(message);
  });

  test('are columns that the server fills', async () => {
    expect(await readColumn('a TIMESTAMP(6) GENERATED ALWAYS AS ROW END INVISIBLE')).toMatchObject({
      generated: { expression: 'ROW END', stored: true },
      invisible: true,
    });
  });
});

describe('options that ALTER TABLE changes', () => {
  const changes: readonly (readonly [string, object, readonly string[]])[] = [
    ['ENGINE=MyISAM ROW_FORMAT=FIXED', { ENGINE: 'MyISAM', ROW_FORMAT: 'FIXED' }, []],
    ['TYPE=InnoDB, FORCE', { ENGINE: 'InnoDB' }, []],
    [
      'MAX_ROWS=9 STATS_PERSISTENT=1',
      {},
      ['its option MAX_ROWS 9', 'its option STATS_PERSISTENT 1'],
    ],
    ['`PAGE_COMPRESSED`=1', {}, ['its option PAGE_COMPRESSED 1']],
    ['FORCE, ORDER BY a, b DESC', {}, ['"ORDER BY a, b DESC"']],
    ['DISABLE KEYS, ENABLE KEYS, ALGORITHM=COPY, LOCK=NONE', {}, []],
    ['CONVERT TO CHARACTER SET latin1', {}, ['"CONVERT TO CHARACTER SET latin1"']],
    ['DEFAULT CHARSET=latin1', {}, ['its option CHARACTER SET latin1']],
    ['REMOVE PARTITIONING', {}, ['"REMOVE PARTITIONING"']],
  ];

  test.each(changes)('%s', async (change, expected, left) => {
    const text = `CREATE TABLE t (a INT, b INT);\nALTER TABLE t ${change};`;
    const { schema, warnings, problems } = await read('mysql', text);
    expect(problems).toEqual([]);
    expect(schema.tables[0]?.options ?? {}).toEqual(expected);
    expect(warnings).toEqual(left.map((omitted) => `Line 2: t: ${omitted} is left out.`));
  });
});

describe('settings of dumps', () => {
  test.each([
    [
      "SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '3e11fa47:1-77'",
      'the statement SET @@GLOBAL.GTID_PURGED',
    ],
    ['SET @@SESSION.SQL_LOG_BIN= 0', undefined],
    ['SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN', undefined],
    ['SET @@SESSION.SQL_LOG_BIN = @MYSQLDUMP_TEMP_LOG_BIN', undefined],
    ["SET TIME_ZONE=IFNULL(@OLD_TIME_ZONE, 'system')", undefined],
    ["CHANGE MASTER TO MASTER_LOG_FILE='mysql-bin.000003'", 'the statement CHANGE MASTER TO'],
    ['START SLAVE', 'the statement START SLAVE'],
    ['/*M!999999\\- enable the sandbox mode */', undefined],
  ])('%s', async (setting, named) => {
    const { warnings, problems } = await read('mysql', `${setting};\n${setting};`);
    expect(problems).toEqual([]);
    expect(warnings).toHaveLength(named === undefined ? 0 : 2);
    if (named !== undefined) expect(warnings[0]).toContain(`Line 1: ${named}`);
  });
});

describe('columns', () => {
  test('accept their clauses in any order', async () => {
    expect(
      await readColumn(
        "ts TIMESTAMP(3) NOT NULL COMMENT 'it''s' DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE now(3) COLLATE utf8mb4_bin",
      ),
    ).toMatchObject({
      nullable: false,
      comment: "it's",
      default: 'CURRENT_TIMESTAMP(3)',
      onUpdate: 'CURRENT_TIMESTAMP(3)',
      collation: 'utf8mb4_bin',
    });
  });

  test.each([
    ['DEFAULT -1', '-1'],
    ["DEFAULT _utf8mb4'x'", "_utf8mb4'x'"],
    ["DEFAULT b'1'", "b'1'"],
    ['DEFAULT (uuid())', '(uuid())'],
    ['DEFAULT NULL', undefined],
    ["DEFAULT 'a' 'b'", undefined],
  ])('%s', async (clause, defaultText) => {
    if (clause.endsWith("'b'"))
      return expect(readColumn(`a INT ${clause}`)).rejects.toThrow(
        'was found where a clause of the column',
      );
    return expect((await readColumn(`a INT ${clause}`)).default).toBe(defaultText);
  });

  test('are generated', async () => {
    expect(
      (await readColumn('a INT GENERATED ALWAYS AS (b + 1) STORED NOT NULL')).generated,
    ).toEqual({
      expression: 'b + 1',
      stored: true,
    });
    expect((await readColumn('a INT AS (b) VIRTUAL')).generated?.stored).toBe(false);
  });

  test('keep a comment after a keyword of a key', async () => {
    const table = await readTable(
      "CREATE TABLE t (a INT PRIMARY KEY COMMENT 'a', b INT UNIQUE COMMENT 'b')",
    );
    expect(table.columns.map(({ comment }) => comment)).toEqual(['a', 'b']);
  });

  test('of type SERIAL are auto-increment', async () => {
    expect(await readColumn('id SERIAL PRIMARY KEY')).toMatchObject({
      nativeType: 'bigint unsigned',
      autoIncrement: true,
      nullable: false,
    });
  });
});

describe('a table', () => {
  test.each([
    'PRIMARY KEY pk (id)',
    'PRIMARY KEY `pk` USING BTREE (id)',
    'PRIMARY KEY USING BTREE (id)',
  ])('may have a name of its primary key, which the server ignores: %s', async (key) => {
    const { schema, warnings, problems } = await read('mysql', `CREATE TABLE t (id INT, ${key})`);
    expect(problems).toEqual([]);
    expect(schema.tables[0]?.primaryKey).toEqual({ columns: ['id'] });
    expect(warnings.join()).toContain(key.includes('pk') ? 'pk' : '');
  });

  test('has keys of every kind', async () => {
    const table = await readTable(`CREATE TABLE \`t\`\`x\` (
      id INT NOT NULL AUTO_INCREMENT, a VARCHAR(10), b TEXT, g POINT NOT NULL,
      PRIMARY KEY (id) USING BTREE,
      KEY (a), KEY (a, b(20) DESC) COMMENT 'two',
      UNIQUE KEY u USING HASH (a), UNIQUE INDEX (b(5)),
      FULLTEXT KEY ft (a, b) WITH PARSER ngram, SPATIAL INDEX (g),
      KEY expression ((lower(a)), id) /*!80000 INVISIBLE */
    ) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE utf8mb4_bin COMMENT='All of it'`);
    expect(table.name).toBe('t`x');
    expect(table.primaryKey).toEqual({ columns: ['id'] });
    expect(table.comment).toBe('All of it');
    expect(table.options).toEqual({
      ENGINE: 'InnoDB',
      'CHARACTER SET': 'utf8mb4',
      COLLATE: 'utf8mb4_bin',
    });
    expect(table.indexes).toEqual([
      { name: 'a', unique: false, parts: [{ column: 'a' }] },
      {
        name: 'a_2',
        unique: false,
        parts: [{ column: 'a' }, { column: 'b', prefixLength: 20, descending: true }],
        comment: 'two',
      },
      { name: 'u', unique: true, parts: [{ column: 'a' }], constraint: true },
      { name: '', unique: true, parts: [{ column: 'b', prefixLength: 5 }] },
      { name: 'ft', unique: false, parts: [{ column: 'a' }, { column: 'b' }], method: 'fulltext' },
      { name: 'g', unique: false, parts: [{ column: 'g' }], method: 'spatial' },
      {
        name: 'expression',
        unique: false,
        parts: [{ expression: 'lower(a)' }, { column: 'id' }],
        invisible: true,
      },
    ]);
  });

  test('in versioned comments is one too', async () => {
    const table = await readTable('/*!40101 CREATE TABLE t (a INT DEFAULT 2) */;');
    expect(table.columns[0]?.default).toBe('2');
    expect(
      (await readTable('CREATE TABLE t (a INT /*!80023 DEFAULT 1 */)')).columns[0]?.default,
    ).toBe('1');
  });

  test('is created with LIKE', async () => {
    const table = await readTable(
      'CREATE TABLE a (id INT PRIMARY KEY, b INT, KEY (b)); CREATE TABLE c LIKE a',
      'c',
    );
    expect(table.indexes).toHaveLength(1);
    expect(table.primaryKey?.columns).toEqual(['id']);
  });

  test("of the file's own database is one like any other", async () => {
    const { tables, views } = await readSchema(`
      DROP DATABASE IF EXISTS shop; CREATE DATABASE shop; USE shop;
      CREATE TABLE shop.a (id INT PRIMARY KEY);
      CREATE TABLE b (a INT, FOREIGN KEY (a) REFERENCES \`shop\`.\`a\` (id));
      CREATE VIEW v AS SELECT \`shop\`.\`a\`.\`id\` FROM \`shop\`.\`a\`;`);
    expect(tables.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(tables[1]?.foreignKeys[0]?.table).toBe('a');
    expect(views[0]?.definition).toBe('SELECT `a`.`id` FROM `a`');
  });

  test('is read without its partitions, with a warning', async () => {
    const { warnings } = await read(
      'mysql',
      'CREATE TABLE t (a INT)\n/*!50100 PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1)) */',
    );
    expect(warnings).toEqual(['Line 1: t: its partitions are left out.']);
  });
});

test('ALTER TABLE is applied, as dumps write it', async () => {
  const table = await readTable(
    `
    CREATE TABLE t (id int(11) NOT NULL, a varchar(5), old int, gone int, KEY old_key (old));
    ALTER TABLE \`t\` ADD PRIMARY KEY (\`id\`), ADD UNIQUE KEY \`a\` (\`a\`), ADD KEY k (a, id);
    ALTER TABLE t MODIFY id int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=5;
    ALTER TABLE t CHANGE COLUMN old fresh bigint NULL COMMENT 'c' FIRST, DROP COLUMN gone;
    ALTER TABLE t ADD COLUMN z int DEFAULT 3 AFTER a, ADD CONSTRAINT fk FOREIGN KEY (z) REFERENCES t (id) ON DELETE SET NULL;
    ALTER TABLE t ALTER z SET DEFAULT 4, RENAME INDEX k TO k2, DROP KEY a, COMMENT 'told';
    ALTER TABLE t DISABLE KEYS;
    ALTER TABLE t RENAME TO u;`,
    'u',
  );
  expect(
    table.columns.map(({ name, nativeType, default: defaultText }) => [
      name,
      nativeType,
      defaultText,
    ]),
  ).toEqual([
    ['fresh', 'bigint', undefined],
    ['id', 'int(11)', undefined],
    ['a', 'varchar(5)', undefined],
    ['z', 'int', '4'],
  ]);
  expect(table.columns[1]).toMatchObject({ autoIncrement: true, nullable: false });
  expect(table.indexes.map(({ name, parts }) => [name, parts.map(({ column }) => column)])).toEqual(
    [
      ['old_key', ['fresh']],
      ['k2', ['a', 'id']],
    ],
  );
  expect(table.foreignKeys[0]).toMatchObject({ name: 'fk', table: 'u', onDelete: 'set null' });
  expect(table.comment).toBe('told');
});

test('a view that a dump first creates as a table is a view', async () => {
  const { tables, views } = await readSchema(`
    CREATE TABLE a (id int);
    /*!50001 CREATE TABLE v (id tinyint NOT NULL) ENGINE=MyISAM */;
    /*!50001 DROP TABLE IF EXISTS v */;
    /*!50001 CREATE ALGORITHM=UNDEFINED */ /*!50013 DEFINER=\`root\`@\`localhost\` SQL SECURITY DEFINER */ /*!50001 VIEW v AS select a.id AS id from a WITH CHECK OPTION */;`);
  expect(tables.map(({ name }) => name)).toEqual(['a']);
  expect(views).toEqual([
    expect.objectContaining({ name: 'v', definition: 'select a.id AS id from a' }),
  ]);
});

test('routines between DELIMITER lines are left out by name', async () => {
  const { warnings, schema, problems } = await read(
    'mysql',
    `
DELIMITER $$
CREATE DEFINER=\`root\`@\`%\` PROCEDURE p() BEGIN INSERT INTO a VALUES (1); SELECT ';'; END$$
DELIMITER ;
CREATE TABLE a (b int); --no blank behind the dashes
GRANT SELECT ON a TO reader;`,
  );
  expect(problems).toEqual([]);
  expect(warnings).toEqual([
    'Line 3: the procedure p is left out.',
    'Line 6: the privilege GRANT SELECT ON a TO reader is left out.',
  ]);
  expect(schema.tables).toHaveLength(1);
});

test('IF EXISTS and IF NOT EXISTS of MariaDB change nothing that is missing or there', async () => {
  const { schema, warnings, problems } = await read(
    'mysql',
    `CREATE TABLE t (a int, INDEX i (a), CONSTRAINT c CHECK (a > 0), CONSTRAINT f FOREIGN KEY (a) REFERENCES t (a));
    ALTER TABLE t ADD COLUMN IF NOT EXISTS (a bigint UNIQUE, b int);
    ALTER TABLE t ADD UNIQUE KEY IF NOT EXISTS i (a), ADD FOREIGN KEY IF NOT EXISTS f (a) REFERENCES t (a);
    ALTER TABLE t MODIFY COLUMN IF EXISTS z int AFTER a, CHANGE COLUMN IF EXISTS z y int, CHANGE IF EXISTS b bb int;
    ALTER TABLE t ADD CONSTRAINT IF NOT EXISTS c CHECK (a > 1), ALTER COLUMN IF EXISTS z SET DEFAULT 1;
    ALTER TABLE t RENAME COLUMN IF EXISTS z TO q, RENAME INDEX IF EXISTS k TO l;
    ALTER TABLE IF EXISTS nowhere ADD x int;
    RENAME TABLE IF EXISTS nowhere TO x;
    CREATE VIEW v AS SELECT 1 AS a;
    CREATE VIEW IF NOT EXISTS v AS SELECT 2 AS b;`,
  );
  expect(problems).toEqual([]);
  expect(warnings).toEqual([
    'Line 7: the statement ALTER TABLE IF EXISTS nowhere ADD is left out.',
    'Line 8: the renaming of nowhere to x is left out.',
  ]);
  expect(schema.views).toMatchObject([{ definition: 'SELECT 1 AS a' }]);
  expect(schema.tables).toMatchObject([
    {
      columns: [{ name: 'a' }, { name: 'bb' }],
      indexes: [{ name: 'i' }],
      checks: [{ expression: 'a > 0' }],
      foreignKeys: [{ name: 'f' }],
    },
  ]);
});
