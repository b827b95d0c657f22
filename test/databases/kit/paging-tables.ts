/**
 * Columns and keys of each database whose order, equality or text form is difficult for cursors.
 */

export interface PagedColumn {
  /** The type in CREATE TABLE, without NOT NULL. */
  readonly type: string;
  /** Literals. The table may reject some combinations of them. */
  readonly values: readonly string[];
  /** Whether a key can contain the column. */
  readonly isKeyable?: false;
}

/** The table without its columns; `{t}` stands for its name. */
export interface PagedShape {
  /** A clause after the columns in CREATE TABLE, given the key columns. */
  readonly clauseAfterColumns?: (key: string) => string;
  /** A clause after the closing parenthesis. */
  readonly clauseAfterTable?: (key: string) => string;
  /** Statements for a table with a key. Unique indexes are created before the rows are inserted, all else after. */
  readonly statements?: (key: string) => readonly string[];
  /** The key columns can be NULL. */
  readonly isNullable?: true;
}

export interface PagedDialect {
  /** Statements that run once per database. */
  readonly setUp: readonly string[];
  readonly columns: readonly PagedColumn[];
  readonly shapes: readonly PagedShape[];
  /** An INSERT that skips rows which a key rejects. */
  insert(names: string, values: string): string;
}

/** Texts that are equal in the prefix that MySQL compares for ORDER BY. */
const long = (end: string, length = 5000): string => `'${'x'.repeat(length)}${end}'`;
/** Databases compare prefixes of different lengths when they sort. */
const longTexts = [700, 1023, 1024, 1500, 2047, 3000, 5000].flatMap((length) =>
  ['', 'a', 'b', 'c'].map((end) => long(end, length)),
);
const texts = ["''", "'a'", "'A'", "'á'", "'a '", "'ab'", "'b'", "'ß'", "'ss'", "'😀'", "'~'"];
const keyed: PagedShape = { clauseAfterColumns: (key) => `, PRIMARY KEY (${key})` };
const keyless: PagedShape = { isNullable: true };
const unique: PagedShape = { statements: (key) => [`CREATE UNIQUE INDEX {t}_key ON {t} (${key})`] };
const nullableUnique: PagedShape = { ...unique, isNullable: true };
const partial: PagedShape = {
  statements: (key) => [`CREATE UNIQUE INDEX {t}_part ON {t} (${key}) WHERE tag < 0`],
};
const viewed: PagedShape = { isNullable: true, statements: () => [] };

const sqliteNumbers = [
  '1',
  '1.0',
  '1.5',
  '-1',
  '9007199254740993',
  '9007199254740992.0',
  '9e999',
  '-0.0',
];
const badText = ["CAST(X'ff' AS TEXT)", "CAST(X'fe61' AS TEXT)", "CAST(X'61ff' AS TEXT)"];
const anyValue = [...sqliteNumbers, "'1'", "'a'", "'A'", "X'61'", "X'ff'", ...badText];

const sqlite: PagedDialect = {
  setUp: [],
  columns: [
    { type: 'INTEGER', values: [...sqliteNumbers, "'x'", "X'31'"] },
    { type: 'TEXT', values: [...texts, ...badText, "X'61'", "'a\ufffdb'"] },
    { type: 'TEXT COLLATE NOCASE', values: [...texts, ...badText] },
    { type: 'VARCHAR(20) COLLATE RTRIM', values: [...texts, "'a  '", "'b '"] },
    { type: 'REAL', values: sqliteNumbers },
    { type: 'NUMERIC', values: anyValue },
    { type: '', values: anyValue },
    { type: 'BLOB', values: anyValue },
    { type: 'DATE', values: ["'2026-01-31'", "'2026-1-31'", '20260131', "''"] },
    { type: 'BOOLEAN', values: ['0', '1', '2', "'t'"] },
    { type: 'TEXT', values: [long(''), long('a'), long('b'), long('A'), "'x'"] },
  ],
  shapes: [
    keyed,
    { ...keyed, isNullable: true },
    {
      clauseAfterColumns: (key) => `, PRIMARY KEY (${key})`,
      clauseAfterTable: () => ' WITHOUT ROWID',
    },
    {
      clauseAfterColumns: (key) => `, PRIMARY KEY (${key.replaceAll(/\w+/g, '$& COLLATE BINARY')})`,
      clauseAfterTable: () => ' WITHOUT ROWID',
    },
    {
      clauseAfterColumns: (key) => `, PRIMARY KEY (${key.replaceAll(/\w+/g, '$& COLLATE NOCASE')})`,
    },
    keyless,
    unique,
    nullableUnique,
    partial,
    {
      statements: (key) => [
        `CREATE UNIQUE INDEX {t}_key ON {t} (${key.replaceAll(/\w+/g, '$& COLLATE BINARY')})`,
      ],
    },
    {
      statements: (key) => [
        `CREATE UNIQUE INDEX {t}_key ON {t} (${key.replaceAll(/\w+/g, '$& DESC')})`,
      ],
    },
    viewed,
  ],
  insert: (names, values) => `INSERT OR IGNORE INTO {t} (${names}) VALUES (${values})`,
};

const numbers = ['0', '1', '-1', '1.0', '1.00', '100', "'NaN'", "'Infinity'", "'-Infinity'"];
const moments = [
  "'2026-01-31 13:05:00'",
  "'2026-10-25 00:30:00.25+00'",
  "'infinity'",
  "'-infinity'",
  "'0044-03-15 BC'",
  "'12026-01-01'",
];

const postgres: PagedDialect = {
  setUp: [
    'CREATE EXTENSION IF NOT EXISTS citext',
    "CREATE COLLATION ignoring (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    "CREATE TYPE mood AS ENUM ('happy', 'angry', 'Zen', 'bored')",
    'CREATE TYPE pair AS (a integer, b text)',
    'CREATE DOMAIN short AS text CHECK (length(VALUE) < 30)',
    'CREATE DOMAIN required AS integer NOT NULL',
    'CREATE DOMAIN relation AS regclass',
    // A schema outside the search path, so that neither the types nor their operators are found.
    'CREATE SCHEMA away',
    'CREATE EXTENSION IF NOT EXISTS ltree SCHEMA away',
    'CREATE EXTENSION IF NOT EXISTS isn SCHEMA away',
    'CREATE EXTENSION IF NOT EXISTS hstore',
    'CREATE DOMAIN away.folded AS citext',
    'CREATE DOMAIN ignored AS text COLLATE ignoring',
  ],
  columns: [
    { type: 'integer', values: ['0', '1', '2', '-1'] },
    { type: 'bigint', values: ['9007199254740993', '9007199254740992', '-1', '0'] },
    { type: 'numeric', values: [...numbers, '9007199254740993.5', '1e-30'] },
    { type: 'real', values: [...numbers, '0.1', "'-0'", '1e-40', '16777217'] },
    { type: 'double precision', values: [...numbers, '0.1', "'-0'", '5e-324'] },
    { type: 'text', values: [...texts, `'${'x'.repeat(1500)}a'`, `'${'x'.repeat(1500)}b'`] },
    { type: 'text COLLATE ignoring', values: texts },
    { type: 'text COLLATE "C"', values: texts },
    { type: 'citext', values: texts },
    { type: 'away.folded', values: texts },
    { type: 'ignored', values: texts },
    { type: 'away.ltree', values: ["'a'", "'a.b'", "'B'", "''"] },
    { type: 'away.isbn13', values: ["'978-0-393-04002-9'", "'978-0-11-000533-4'"] },
    { type: 'hstore', values: ["'a=>1'", "'a=>2'", "''", "'b=>NULL'"] },
    { type: 'char(5)', values: texts },
    { type: 'bpchar', values: ["''", "' '", "'a'", "'a '", "'a  '", "'a   '", "'A '"] },
    { type: 'varchar(40)', values: texts },
    { type: 'short', values: texts },
    { type: '"char"', values: ["'a'", "'b'", "''"] },
    { type: 'name', values: ["'a'", "'B'", "''"] },
    {
      type: 'bytea',
      values: [String.raw`'\x'`, String.raw`'\x00'`, String.raw`'\xff'`, String.raw`'\x0061'`],
    },
    { type: 'boolean', values: ['true', 'false'] },
    { type: 'date', values: ["'2026-01-31'", "'infinity'", "'0044-03-15 BC'", "'12026-01-01'"] },
    { type: 'timestamp', values: moments },
    { type: 'timestamptz', values: moments },
    { type: 'time', values: ["'00:00'", "'24:00'", "'13:05:00.25'"] },
    { type: 'timetz', values: ["'12:00+00'", "'13:00+01'", "'12:00+01:02:03'"] },
    { type: 'interval', values: ["'1 day'", "'24:00'", "'1 mon'", "'30 days'", "'-1 day'"] },
    { type: 'bit(3)', values: ["B'000'", "B'101'", "B'111'"] },
    { type: 'bit varying', values: ["B''", "B'0'", "B'00'", "B'1'"] },
    {
      type: 'uuid',
      values: ["'00000000-0000-0000-0000-000000000001'", "'ffffffff-0000-0000-0000-000000000001'"],
    },
    { type: 'jsonb', values: [`'1'`, `'1.0'`, `'null'`, `'{"a":1}'`, `'[]'`] },
    { type: 'json', values: [`'1'`, `'1.0'`, `'{"a":1}'`], isKeyable: false },
    { type: 'int4range', values: ["'empty'", "'[1,2)'", "'(,)'", "'[1,)'"] },
    { type: 'numrange', values: ["'empty'", "'[1,2)'", "'[1.0,2)'", "'(1,2]'"] },
    { type: 'inet', values: ["'10.0.0.1'", "'10.0.0.1/8'", "'::1'"] },
    {
      type: 'integer[]',
      values: ["'{}'", "'{1}'", "'{1,NULL}'", "'[0:1]={1,2}'", "'{1,2}'", "'{{1},{2}}'"],
    },
    { type: 'text[]', values: ["'{}'", "'{a}'", "'{A}'", `'{"",NULL,"NULL"}'`] },
    { type: 'numeric[]', values: ["'{1}'", "'{1.0}'", "'{NaN}'"] },
    { type: 'float8[]', values: ["'{0}'", "'{-0}'", "'{NaN,Infinity}'"] },
    { type: 'bytea[]', values: [String.raw`'{"\\x00"}'`, "'{}'"] },
    { type: 'money[]', values: ["'{1.50}'", "'{2}'"] },
    { type: 'money', values: ["'1.50'", "'-2'", "'92233720368547758.07'"] },
    { type: 'mood', values: ["'happy'", "'angry'", "'Zen'", "'bored'"] },
    { type: 'mood[]', values: ["'{happy}'", "'{angry}'", "'{Zen,bored}'"] },
    {
      type: 'required',
      values: ['1', '2', '(SELECT x FROM (SELECT NULL::required AS x) AS y WHERE false)'],
      isKeyable: false,
    },
    { type: 'regclass', values: ["'pg_class'", "'pg_type'", "'pg_proc'"] },
    { type: 'regtype', values: ["'integer'", "'text'", "'away.isbn13'", "'integer[]'"] },
    { type: 'regnamespace', values: ["'public'", "'away'"] },
    { type: 'relation', values: ["'pg_class'", "'pg_type'", "'pg_proc'"] },
    {
      type: 'regproc',
      values: ['1397', '1398', "'now'"],
      isKeyable: false,
    },
    { type: 'cidr', values: ["'10.0.0.0/8'", "'10.0.0.0/16'", "'::/0'"] },
    { type: 'point', values: ["'(1,2)'", "'(0,0)'"], isKeyable: false },
    { type: 'xml', values: ["'<a/>'", "'<b/>'"], isKeyable: false },
    { type: 'pair', values: ["'(1,a)'", "'(1,b)'", "'(,)'"], isKeyable: false },
    { type: 'tsvector', values: ["'a b'", "'b:1A'", "''"] },
  ],
  shapes: [
    keyed,
    keyless,
    unique,
    nullableUnique,
    partial,
    { clauseAfterColumns: (key) => `, UNIQUE NULLS NOT DISTINCT (${key})`, isNullable: true },
    { clauseAfterColumns: (key) => `, UNIQUE (${key}) DEFERRABLE INITIALLY DEFERRED` },
    {
      statements: (key) => [
        `CREATE UNIQUE INDEX {t}_key ON {t} (${key.replaceAll(/\w+/g, '$& DESC NULLS FIRST')})`,
      ],
    },
    {
      // The state that a failed CREATE INDEX CONCURRENTLY leaves.
      statements: (key) => [
        `CREATE INDEX {t}_key ON {t} (${key})`,
        "UPDATE pg_index SET indisunique = true, indisvalid = false WHERE indexrelid = '{t}_key'::regclass",
      ],
    },
    {
      clauseAfterColumns: (key) => `, PRIMARY KEY (${key})`,
      statements: () => [
        'CREATE TABLE {t}_child () INHERITS ({t})',
        'INSERT INTO {t}_child SELECT * FROM ONLY {t}',
        'UPDATE {t}_child SET tag = tag + 1000',
      ],
    },
    {
      clauseAfterColumns: (key) => `, PRIMARY KEY (${key}, tag)`,
      clauseAfterTable: () => ' PARTITION BY HASH (tag)',
    },
    { clauseAfterTable: () => ' PARTITION BY LIST (tag)', isNullable: true },
    viewed,
  ],
  insert: (names, values) => `INSERT INTO {t} (${names}) VALUES (${values}) ON CONFLICT DO NOTHING`,
};

const mysqlTexts = [...texts, "'a\\t'", "'a\\0'", "'ﷺ'"];

const mysql: PagedDialect = {
  setUp: [],
  columns: [
    { type: 'int', values: ['0', '1', '-1'] },
    {
      type: 'bigint unsigned',
      values: ['18446744073709551615', '9007199254740993', '9007199254740992', '0'],
    },
    { type: 'decimal(30,10)', values: ['1', '1.5', '-1', '9007199254740993.5'] },
    { type: 'float', values: ['0.1', '1', '-0e0', '16777217', '1e-40', '3.3'] },
    { type: 'double', values: ['0.1', '1', '-0e0', '5e-324'] },
    { type: 'varchar(60)', values: mysqlTexts },
    { type: 'varchar(60) COLLATE utf8mb4_general_ci', values: mysqlTexts },
    { type: 'varchar(60) COLLATE utf8mb4_unicode_nopad_ci', values: mysqlTexts },
    { type: 'varchar(60) COLLATE utf8mb4_bin', values: mysqlTexts },
    { type: 'varchar(20) CHARACTER SET latin1', values: ["'a'", "'A'", "'é'", "'a '", "''"] },
    { type: 'char(5)', values: ["''", "'a'", "'a '", "'ab'", "'A'"] },
    {
      type: 'varchar(700)',
      values: ["'a'", `'${'x'.repeat(690)}a'`, `'${'x'.repeat(690)}b'`, `'${'x'.repeat(690)}'`],
    },
    {
      type: 'text',
      values: [...mysqlTexts, ...longTexts],
      isKeyable: false,
    },
    { type: 'blob', values: ["''", "X'00'", "X'ff'", ...longTexts], isKeyable: false },
    { type: 'varbinary(40)', values: ["''", "X'00'", "X'0000'", "X'ff'", "'a'", "'a '"] },
    { type: 'binary(3)', values: ["''", "X'00'", "X'ff'", "'a'"] },
    {
      type: "enum('happy','angry','Zen','bored','')",
      values: ["'happy'", "'angry'", "'Zen'", "'bored'", "''"],
    },
    { type: "set('z','y','a','b')", values: ["''", "'z'", "'z,y'", "'a'", "'b'", "'z,y,a,b'"] },
    {
      type: `set(${Array.from({ length: 64 }, (_, i) => `'m${i}'`).join(',')})`,
      values: ["''", "'m0'", "'m63'", "'m0,m63'", "'m1,m63'", "'m53'", "'m0,m53'"],
    },
    { type: 'date', values: ["'2026-01-31'", "'0000-00-00'", "'2026-01-00'", "'9999-12-31'"] },
    { type: 'datetime(6)', values: ["'2026-01-31 13:05:00.25'", "'0000-00-00'", "'1000-01-01'"] },
    {
      type: 'timestamp(3) NULL',
      values: ["'2026-10-25 00:30:00.25'", "'2026-10-25 01:30:00'", "'1970-01-01 00:00:01'"],
    },
    { type: 'time(3)', values: ["'-838:59:59'", "'838:59:59'", "'00:00:00.25'", "'00:00:00'"] },
    { type: 'year', values: ['0', '1901', '2026', '2155'] },
    { type: 'bit(1)', values: ["b'0'", "b'1'"] },
    { type: 'bit(60)', values: ["b'0'", "b'1'", '576460752303423489', '576460752303423488'] },
    { type: 'tinyint(1)', values: ['0', '1', '2', '-1'] },
    { type: 'json', values: [`'1'`, `'{"a":1}'`, `'[]'`], isKeyable: false },
    { type: 'point', values: ['POINT(1,2)', 'POINT(0,0)'], isKeyable: false },
    {
      type: 'uuid',
      values: [
        "'00000000-0000-1000-0000-000000000001'",
        "'ffffffff-0000-1000-8000-000000000001'",
        "'00000001-0000-4000-8000-000000000000'",
      ],
    },
    { type: 'inet6', values: ["'::1'", "'::'", "'ffff::'"] },
  ],
  shapes: [
    keyed,
    keyless,
    unique,
    nullableUnique,
    {
      statements: (key) => [
        `CREATE UNIQUE INDEX {t}_key ON {t} (${key.replaceAll(/\w+/g, '$& DESC')})`,
      ],
    },
    {
      clauseAfterColumns: (key) => `, PRIMARY KEY (${key})`,
      clauseAfterTable: () => ' ENGINE=MyISAM',
    },
    {
      clauseAfterColumns: (key) => `, PRIMARY KEY (${key}, tag)`,
      clauseAfterTable: () => ' PARTITION BY HASH (tag) PARTITIONS 3',
    },
    viewed,
  ],
  insert: (names, values) => `INSERT IGNORE INTO {t} (${names}) VALUES (${values})`,
};

/** By the name of the database. */
export const pagedDialects: Readonly<Record<string, PagedDialect>> = { sqlite, postgres, mysql };

export const isView = (shape: PagedShape): boolean => shape === viewed;
