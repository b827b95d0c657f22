/** Tables of each database's own types, with values that a writer or reader could get wrong. */

export interface NativeRows {
  readonly structure: string;
  readonly rows: string;
  /** The tables by the name in the API. */
  readonly tables: readonly string[];
}

const sqlite: NativeRows = {
  structure: `
    CREATE TABLE "any class" (id INTEGER PRIMARY KEY, u, i INTEGER, r REAL, t TEXT, b BLOB, n NUMERIC, d DECIMAL(10,2), f BOOLEAN, j JSON, m DATETIME);
    CREATE TABLE keyless (a TEXT, b);
    CREATE TABLE strict_one (id INTEGER PRIMARY KEY, v ANY, t TEXT NOT NULL) STRICT;
    CREATE TABLE made (a INTEGER PRIMARY KEY, b INTEGER GENERATED ALWAYS AS (a * 2) STORED, c TEXT AS (a || 'x'));
    CREATE TABLE worded (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;
    CREATE TABLE "select ""; --" ("from" TEXT, "a,b" TEXT, "=x" TEXT, "Ü 日" TEXT);`,
  rows: `
    INSERT INTO "any class" (u, i, r, t, b, n, d, f, j, m) VALUES
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (1, 1, 1, '1', 1, 1, 1, 1, '{"a":1.50}', '2026-01-31 13:05:00'),
      (1.0, 9223372036854775807, -0.0, '1.0', 1.0, 1.5, 10.5, 0, '[1, 2]', 1769864700),
      ('1', -9223372036854775808, 1e300, '', '1', 'text', 'text', 'text', 'text', ''),
      (9007199254740993, 1.5, 9e999, 'a' || char(0) || 'b', x'00ff', 9007199254740993, 0.1, 2, 'null', 'x'),
      (9e999, 'text', -9e999, char(0xfeff) || 'é' || char(0x1F600), x'', -9e999, '1e5', 'true', '"x"', x'00'),
      (x'3031', x'41', x'42', x'43', x'c328', x'44', x'45', x'46', x'47', 1.5),
      ('\\x41', 0, 0.1, '\\x41', '\\x41', 123456789012345680, '00', 1.5, '{"$json":null}', NULL),
      (0.1, 5, 5e-324, '=1+1', 0.1, 1e20, 1e20, -1, 5, NULL);
    INSERT INTO keyless VALUES (NULL, NULL), ('', NULL), ('x', 1), ('x', 1);
    INSERT INTO strict_one VALUES (1, 1, 'a'), (2, 1.0, ''), (3, '1', 'b'), (4, x'31', 'c'), (5, NULL, 'd');
    INSERT INTO made (a) VALUES (1), (2);
    INSERT INTO worded VALUES ('', NULL), ('a', ''), ('A', 'x');
    INSERT INTO "select ""; --" VALUES ('a', 'b', 'c', 'd'), (NULL, '', '''', ',');`,
  tables: ['any class', 'keyless', 'strict_one', 'made', 'worded', 'select "; --'],
};

const postgres: NativeRows = {
  structure: `
    CREATE TYPE mood AS ENUM ('sad', 'it''s ok', 'a,b');
    CREATE TYPE pair AS (a int, b text);
    CREATE SCHEMA "Other";
    CREATE TABLE kinds (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, i2 smallint, i8 bigint, n numeric, n2 numeric(30,10), f4 real, f8 double precision,
      b boolean, t text, c char(5), v varchar(20), d date, tm time(6), tz timetz, ts timestamp, tstz timestamptz, iv interval,
      u uuid, j json, jb jsonb, by bytea, bit3 bit(3), vb bit varying, m mood, x xml, inet inet, mac macaddr, pt point, r int4range, mo money,
      ia int[], ta text[], ma mood[], na numeric[], ba bytea[], tsv tsvector, p pair);
    CREATE TABLE "Other".made (a int PRIMARY KEY, b int GENERATED ALWAYS AS (a * 2) STORED, c text DEFAULT 'x');
    CREATE TABLE keyless (a text, b int);`,
  rows: `
    INSERT INTO kinds (i2, i8, n, n2, f4, f8, b, t, c, v, d, tm, tz, ts, tstz, iv, u, j, jb, by, bit3, vb, m, x, inet, mac, pt, r, mo, ia, ta, ma, na, ba, tsv, p) VALUES
      (-32768, 9223372036854775807, 'NaN', 12345678901234567890.1234567890, 'Infinity', '-Infinity', true, E'a\\nb\\t''"\\\\', 'ab', '', '2024-02-29', '23:59:59.999999', '13:05:00.25+05:30',
        '2026-01-31 13:05:00.123456', '2026-01-31 13:05:00.123456+02', '1 year 2 mons -3 days 04:05:06.789', '00112233-4455-6677-8899-aabbccddeeff',
        '{"a": 1.50, "b":null}', '{"b": [1, 2.0], "a": "x"}', '\\x00ff27', B'101', B'1', 'it''s ok', '<a>&amp;</a>', '10.0.0.1/8', '08:00:2b:01:02:03', '(1.5,-2)', '[1,5)', -1234.56,
        '{1,NULL,3}', ARRAY['a,b', 'c"d', '', NULL, 'NULL', E'x\\ny'], '{sad,"a,b"}', '{1.50,NaN}', ARRAY['\\x00'::bytea, NULL], 'a:1 b:2', '(1,"x,y")'),
      (1, -9223372036854775808, 1.50, -0.5, '-0', 'NaN', false, '', '', '=1+1', '0044-03-15 BC', '24:00:00', '00:00:00Z', 'infinity', '-infinity', '-00:00:01',
        NULL, 'null', 'null', '\\x', B'000', '', 'sad', NULL, '::1', NULL, NULL, 'empty', 0, '{}', '{}', NULL, NULL, '{}', '', '(,)'),
      (NULL, NULL, 1e-20, NULL, 3.4e38, 5e-324, NULL, '\\x41', NULL, '''=1', '5874897-12-31', NULL, NULL, '0001-01-01 00:00:00', '2026-01-31 00:00:00+00', '178000000 years',
        NULL, '"text"', '"text"', NULL, NULL, NULL, 'a,b', NULL, NULL, NULL, NULL, '(,5]', 92233720368547758.07, '[2:3]={5,6}', '{{a,b},{c,d}}', '{}', NULL, NULL, NULL, NULL),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO "Other".made (a, c) VALUES (1, 'x'), (2, NULL), (3, '');
    INSERT INTO keyless VALUES (NULL, NULL), ('', NULL), ('x', 1), ('x', 1);`,
  tables: ['kinds', 'Other.made', 'keyless'],
};

const mysql: NativeRows = {
  structure: `
    CREATE TABLE kinds (id int unsigned AUTO_INCREMENT PRIMARY KEY, i1 tinyint, b1 tinyint(1), u8 bigint unsigned, dc decimal(30,10), f float, d double, bt bit(1), b9 bit(9),
      c char(5), v varchar(100), tx longtext, bi binary(3), vb varbinary(10), bl longblob, e enum('a', 'it''s', 'b,c'), s set('x', 'y', 'z'),
      da date, ti time(6), dt datetime(6), ts timestamp(6) NULL, y year, j json, g geometry);
    CREATE TABLE made (a int PRIMARY KEY, b int GENERATED ALWAYS AS (a * 2) STORED, c varchar(10) DEFAULT 'x');
    CREATE TABLE keyless (a varchar(10), b int);
    CREATE TABLE \`odd \`\`name\` (\`a,b\` text, \`=x\` text, \`Ü 日\` text);`,
  rows: `
    INSERT INTO kinds (i1, b1, u8, dc, f, d, bt, b9, c, v, tx, bi, vb, bl, e, s, da, ti, dt, ts, y, j, g) VALUES
      (-128, 1, 18446744073709551615, 12345678901234567890.1234567890, 1.5, 1.7976931348623157e308, b'1', b'101010101', 'ab', 'it''s "q" \\\\ \\0', 'a\\nb\\r\\n', x'000102', x'ff00', x'00ff27', 'it''s', 'x,z',
        '2024-02-29', '-838:59:59.000000', '2026-01-31 13:05:00.123456', '2026-01-31 13:05:00.5', 2026, '{"a": 1.5, "b": null}', ST_GeomFromText('POINT(1 2)')),
      (127, 0, 0, -0.5, 0.1, 5e-324, b'0', b'0', '', '', '', x'000000', '', '', 'a', '', '0001-01-01', '00:00:00.000001', '9999-12-31 23:59:59.999999', '1970-01-02 00:00:01', 1901, 'null', NULL),
      (0, 2, 9007199254740993, 10.5, -3.4e38, -0.0, NULL, b'111111111', '=1', '=1+1', '\\\\x41', NULL, NULL, NULL, 'b,c', 'y', NULL, '12:00:00', NULL, NULL, NULL, '"text"', ST_GeomFromText('LINESTRING(0 0,1 1)')),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO made (a, c) VALUES (1, 'x'), (2, NULL), (3, '');
    INSERT INTO keyless VALUES (NULL, NULL), ('', NULL), ('x', 1), ('x', 1);
    INSERT INTO \`odd \`\`name\` VALUES ('a', 'b', 'c'), (NULL, '', '''');`,
  tables: ['kinds', 'made', 'keyless', 'odd `name'],
};

const sqlserver: NativeRows = {
  structure: `
    CREATE TABLE kinds (id int IDENTITY(5,3) PRIMARY KEY, ti tinyint, si smallint, b bigint, f1 bit, dc decimal(38,10), m money, sm smallmoney, r real, d float,
      c char(5), v varchar(100), nv nvarchar(100), tx nvarchar(max), bi binary(3), vb varbinary(10), bl varbinary(max), u uniqueidentifier,
      da date, t time(6), dt datetime, sd smalldatetime, d2 datetime2(6), dz datetimeoffset(6), x xml);
    CREATE TABLE made (a int PRIMARY KEY, b AS (a * 2) PERSISTED, c varchar(10) DEFAULT 'x');
    CREATE TABLE keyless (a varchar(10), b int);
    CREATE TABLE [odd 'name] ([a,b] nvarchar(100), [=x] nvarchar(100));`,
  rows: `
    INSERT INTO kinds (ti, si, b, f1, dc, m, sm, r, d, c, v, nv, tx, bi, vb, bl, u, da, t, dt, sd, d2, dz, x) VALUES (255, -32768, 9223372036854775807, 1, 1234567890123456789012345678.0123456789, 922337203685477.5807, -214748.3648, 1.5, 1.7976931348623157e308,
      'ab', 'it''s "q" \\', N'日本 😀', N'a' + NCHAR(13) + NCHAR(10) + N'GO', 0x000102, 0xff00, 0x00ff27, '123E4567-E89B-12D3-A456-426614174000', '2024-02-29', '23:59:59.999999', '2026-01-31T13:05:00.123', '2026-01-31T13:05:00', '9999-12-31T23:59:59.999999', '2026-01-31T13:05:00.25+02:00', N'<a b="1">é</a>');
    INSERT INTO kinds (ti, si, b, f1, dc, m, sm, r, d, c, v, nv, tx, bi, vb, bl, u, da, t, dt, sd, d2, dz, x) VALUES (0, 0, -9007199254740993, 0, -0.5, -0.0001, 0, 0.1, 5e-324,
      '', '', N'=1+1', N'', 0x000000, 0x, 0x, NULL, '0001-01-01', '00:00:00', '1753-01-01', '1900-01-01', '0001-01-01', '0001-01-02T00:00:00-14:00', N'');
    INSERT INTO kinds (ti) VALUES (NULL);
    INSERT INTO made (a, c) VALUES (1, 'x'), (2, NULL), (3, '');
    INSERT INTO keyless VALUES (NULL, NULL), ('', NULL), ('x', 1), ('x', 1);
    INSERT INTO [odd 'name] VALUES (N'a', N'b'), (NULL, N'''');`,
  tables: ['kinds', 'made', 'keyless', "odd 'name"],
};

/** By the name of the database. */
export const nativeRows: Readonly<Record<string, NativeRows>> = {
  sqlite,
  postgres,
  mysql,
  sqlserver,
};
