import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { classify } from '../../src/sql/classify.ts';
import { languageNames, languages } from './languages.ts';
import type { StatementKind } from '../../src/sql/classify.ts';
import type { LanguageName } from './languages.ts';

interface LabeledSql {
  readonly id: string;
  readonly dialect: LanguageName | 'any';
  readonly sql: string;
  readonly statements: number | null;
  readonly reads_only: boolean;
  /** `policy`: whether the statement counts as a read is for the studio to decide. */
  readonly certainty: 'certain' | 'policy';
}

const fixture = new URL('../fixtures/sql-classification.json', import.meta.url);
const { items } = JSON.parse(readFileSync(fixture, 'utf8')) as { items: readonly LabeledSql[] };

/** Item sc239 of the fixture is BEGIN without END, which T-SQL cannot parse. */
const isInvalid = (name: LanguageName, id: string): boolean =>
  name === 'sqlserver' && id === 'sc239';

function isReadKind(kind: StatementKind): boolean {
  return kind === 'read' || kind === 'empty';
}

describe.each(languageNames)('labeled texts in %s', (name) => {
  const itemsOfDialect = items.filter(
    ({ dialect, id }) => (dialect === 'any' || dialect === name) && !isInvalid(name, id),
  );

  test.each(itemsOfDialect.filter(({ certainty }) => certainty === 'certain'))(
    '$id is a read exactly if its label says so: $sql',
    (item) => {
      const { kind, statements, reasons } = classify(item.sql, languages[name]);
      expect({ isReadKind: isReadKind(kind), reasons }).toEqual({
        isReadKind: item.reads_only,
        reasons,
      });
      if (item.statements !== null) expect(statements).toBe(item.statements);
    },
  );

  test.each(itemsOfDialect.filter(({ certainty }) => certainty === 'policy'))(
    '$id is not a read if it can write: $sql',
    (item) => {
      if (!item.reads_only)
        expect(isReadKind(classify(item.sql, languages[name]).kind)).toBe(false);
    },
  );
});

const sqlByKind: readonly [LanguageName, StatementKind, readonly string[]][] = [
  ['sqlite', 'empty', ['', ' ; ', '-- a']],
  [
    'sqlite',
    'read',
    [
      'EXPLAIN QUERY PLAN DELETE FROM a',
      'PRAGMA main.table_info(a)',
      'PRAGMA journal_mode',
      'SELECT replace(a, 1, 2), "delete", x.[update] FROM a',
      'WITH a(b) AS (SELECT 1), "c" AS NOT MATERIALIZED (VALUES (2)) SELECT * FROM a',
    ],
  ],
  [
    'sqlite',
    'write',
    ['REPLACE INTO a VALUES (1)', 'WITH a AS (SELECT 1) INSERT INTO b SELECT * FROM a'],
  ],
  ['sqlite', 'ddl', ['CREATE TABLE a AS SELECT 1', 'DROP VIEW a']],
  ['sqlite', 'transaction', ['SAVEPOINT a', 'END', 'BEGIN IMMEDIATE']],
  [
    'sqlite',
    'administration',
    [
      'PRAGMA writable_schema = 1',
      'PRAGMA "writable_schema"(1)',
      'PRAGMA main.journal_mode(delete)',
      'PRAGMA wal_checkpoint',
      'PRAGMA incremental_vacuum(5)',
      'PRAGMA unheard_of',
      'EXPLAIN PRAGMA journal_mode = delete',
      'REINDEX',
    ],
  ],
  [
    'sqlite',
    'external',
    [
      "VACUUM INTO 'a'",
      "VACUUM main INTO 'a'",
      "ATTACH 'a' AS b",
      "SELECT writefile('a', 'b')",
      "INSERT INTO a VALUES (readfile('b'))",
      `SELECT "load_extension"('x')`,
      "SELECT load_extension /* */ ('x')",
      "EXPLAIN SELECT load_extension('x')",
    ],
  ],
  [
    'sqlite',
    'unknown',
    ['FROBNICATE a', 'WITH a AS (SELECT 1) FROBNICATE', "SELECT 'a", '"SELECT" 1', '1'],
  ],
  [
    'postgres',
    'read',
    [
      'TABLE a',
      'SELECT delete FROM a',
      'SELECT count(delete), (update) FROM a',
      'WITH delete AS (SELECT 1) SELECT * FROM delete',
      'WITH RECURSIVE a(b) AS (SELECT 1) SEARCH DEPTH FIRST BY b SET values SELECT * FROM a',
      'WITH a AS (SELECT 1) (SELECT * FROM a)',
      'EXPLAIN (ANALYZE off, COSTS) DELETE FROM a',
      'EXPLAIN VERBOSE EXECUTE q',
      'COPY (SELECT 1) TO STDOUT',
      "SELECT substring('a' FOR 1)",
      "SELECT E'\\'; DELETE FROM a'",
    ],
  ],
  [
    'postgres',
    'write',
    [
      'WITH a AS (SELECT 1), b AS (UPDATE c SET d = 1 RETURNING *) SELECT * FROM b',
      'SELECT * FROM (WITH a AS (SELECT 1) DELETE FROM b RETURNING *) c',
      'WITH RECURSIVE a(b) AS (SELECT 1) SEARCH DEPTH FIRST BY b SET values DELETE FROM c',
      "WITH RECURSIVE a(b) AS (SELECT 1) CYCLE b SET c TO 'y' DEFAULT 'n' USING d DELETE FROM c",
      'EXPLAIN ANALYSE DELETE FROM a',
      'EXPLAIN (ANALYZE) DELETE FROM a',
      'EXPLAIN (ANALYZE false, ANALYZE true) DELETE FROM a',
      'EXPLAIN ANALYZE VERBOSE WITH a AS (SELECT 1) DELETE FROM b',
      'EXPLAIN (COSTS, ANALYZE) (WITH a AS (DELETE FROM b RETURNING *) SELECT * FROM a)',
      'SELECT 1 FOR NO KEY UPDATE',
      `SELECT "nextval"('a')`,
      "SELECT pg_catalog.nextval('a')",
      'REFRESH MATERIALIZED VIEW a',
      'DECLARE a CURSOR FOR SELECT * FROM b FOR UPDATE',
    ],
  ],
  [
    'postgres',
    'ddl',
    ['SELECT 1 INTO a', 'CREATE TABLE a AS SELECT 1', 'TRUNCATE a', 'COMMENT ON TABLE a IS NULL'],
  ],
  [
    'postgres',
    'execute',
    ['DO $$ $$', 'CALL a()', 'EXECUTE a', 'EXPLAIN ANALYZE EXECUTE a', 'PREPARE a AS SELECT 1'],
  ],
  [
    'postgres',
    'transaction',
    ['SET TRANSACTION READ WRITE', "PREPARE TRANSACTION 'a'", 'LOCK a', 'ABORT'],
  ],
  [
    'postgres',
    'session',
    ['SET ROLE a', "SELECT set_config('a', 'b', false)", 'SELECT pg_advisory_lock(1)'],
  ],
  ['postgres', 'administration', ['GRANT SELECT ON a TO b', 'CREATE ROLE a', 'VACUUM']],
  [
    'postgres',
    'external',
    [
      "COPY a TO PROGRAM 'b'",
      "ALTER SYSTEM SET archive_command = 'a'",
      "CREATE FUNCTION a() RETURNS int LANGUAGE c AS 'b'",
      "COPY (SELECT 1) TO '/a'",
      "COPY a FROM '/b'",
      "SELECT pg_read_file('a')",
      "SELECT * FROM dblink('a', 'b')",
      "INSERT INTO a VALUES (lo_import('b'))",
      "LOAD 'a'",
    ],
  ],
  [
    'postgres',
    'unknown',
    [String.raw`SELECT U&"\006eextval"('a')`, 'SELECT (1; DELETE FROM a)', 'HANDLER a OPEN'],
  ],
  [
    'mysql',
    'read',
    [
      'SHOW CREATE TABLE a',
      'DESC a',
      'EXPLAIN FORMAT=JSON DELETE FROM a',
      'SELECT /*!40001 SQL_NO_CACHE */ * FROM a',
      'SELECT /*+ MAX_EXECUTION_TIME(1) */ replace(a, 1, 2), insert(a, 1, 2, 3) FROM b',
      'SELECT `delete`, "UPDATE a", a.update FROM a',
      'VALUES ROW(1)',
      'EXPLAIN ANALYZE SELECT 1',
    ],
  ],
  [
    'mysql',
    'write',
    [
      'ANALYZE FORMAT=JSON DELETE FROM a',
      'EXPLAIN ANALYZE UPDATE a SET b = 1',
      'DESC ANALYZE DELETE FROM a',
      'SELECT 1 LOCK IN SHARE MODE',
      'SELECT NEXT VALUE FOR a',
      '/*!50000 DELETE FROM a */',
      'SELECT 1 /*!99999 UNION */ DELETE FROM a',
      'WITH a AS (SELECT 1) UPDATE b SET c = 1',
    ],
  ],
  [
    'mysql',
    'ddl',
    [
      'TRUNCATE a',
      'RENAME TABLE a TO b',
      '/*!50000 CREATE*/ /*!50001 VIEW a AS SELECT 1 */',
      'CREATE TABLE a (engine TEXT, file_name TEXT) ENGINE InnoDB DEFAULT CHARSET = utf8mb4',
      "CREATE TABLE a AS SELECT * FROM b WHERE file_name = 'c'",
    ],
  ],
  [
    'mysql',
    'execute',
    [
      'SET STATEMENT a = 1 FOR DELETE FROM b',
      'BEGIN NOT ATOMIC DELETE FROM a',
      'DO sleep(1)',
      "/*!99999 SELECT */ /*!40000 EXECUTE IMMEDIATE 'DELETE FROM a' */",
      "CREATE PROCEDURE a() EXECUTE IMMEDIATE 'b'",
      'CREATE EVENT a ON SCHEDULE EVERY 1 DAY DO CALL b()',
    ],
  ],
  [
    'mysql',
    'session',
    [
      'SET NAMES utf8',
      'SET ROLE a',
      'USE a',
      'HANDLER a OPEN',
      'SELECT 1 INTO @a',
      'EXPLAIN FORMAT = JSON INTO @a SELECT 1',
      'SELECT get_lock(1, 2)',
    ],
  ],
  [
    'mysql',
    'administration',
    [
      'ANALYZE TABLE a',
      'SET GLOBAL a = 1',
      "SET GLOBAL sql_mode = 'ANSI', b = OFF",
      'KILL 1',
      'FLUSH TABLES',
      'CREATE USER a',
    ],
  ],
  [
    'mysql',
    'external',
    [
      "LOAD DATA INFILE 'a' INTO TABLE b",
      "SET GLOBAL general_log_file = 'a'",
      "SELECT 1 INTO OUTFILE 'a'",
      "(SELECT 1) INTO DUMPFILE 'a'",
      "TABLE a INTO OUTFILE 'b'",
      "SELECT load_file('a')",
      "SELECT 1 /*!INTO*/ /*!OUTFILE*/ 'a'",
      "SHOW TABLES WHERE load_file('a')",
      "CREATE FUNCTION a RETURNS STRING SONAME 'b.so'",
      "SELECT load_file /*!99999 x*/ /*!40000 ('a') */",
      "SET GLOBAL `general_log_file` = 'a'",
      "SET GLOBAL max_connections = 1, @@global.slow_query_log_file = 'a'",
      "SET PERSIST init_connect = 'a'",
      "CREATE EVENT a ON SCHEDULE AT now() DO SELECT 1 INTO OUTFILE 'b'",
      "CREATE PROCEDURE a() SET @@`global`.`general_log_file` = 'b'",
      'CREATE TABLE a (b INT) ENGINE = `connect`',
      "CREATE TABLE a (b INT) ENGINE 'FEDERATED' CONNECTION 'c'",
      "ALTER TABLE a FILE_NAME = 'b'",
      "CHANGE MASTER TO MASTER_HOST = 'a'",
      'START REPLICA',
    ],
  ],
  [
    'mysql',
    'unknown',
    [
      "SELECT 1 /*!99999 ' */ ; FROBNICATE -- '",
      'SELECT 1 /*! ; FROBNICATE */',
      'SELECT 1 /*!99999 -- */ , 2',
      'SELECT 1 /*!50000 , /* */ 2 */',
      "SELECT 1 AS\nDELIMITER , load_file('a')",
      'SELECT /*+ QB_NAME(`a */ 1 + `) */ 2',
      'SELECT 1 /*!80000*/ /*!80001*/ /*!80002*/ /*!80003*/ /*!80004*/',
    ],
  ],
  [
    'sqlserver',
    'read',
    [
      'SELECT TOP 1 * FROM a WITH (NOLOCK) ORDER BY b OFFSET 1 ROWS FETCH NEXT 1 ROWS ONLY',
      'WITH a AS (SELECT 1 AS b) SELECT * FROM a OPTION (MERGE JOIN)',
      'SELECT [delete], "drop" FROM a FOR JSON PATH',
      'DECLARE @a int = (SELECT 1)',
      "SELECT a.b.c, d.e.f.value('(/g)[1]', 'int') FROM x.y.z",
      'SELECT * FROM sys.dm_exec_sql_text(0x00)',
      'SELECT dbo.fn_total(1)',
    ],
  ],
  [
    'sqlserver',
    'write',
    [
      'SELECT 1 DELETE FROM a',
      'WITH a AS (SELECT 1 AS b) DELETE FROM a',
      'SELECT NEXT VALUE FOR a',
      'SELECT * FROM a WITH (UPDLOCK)',
      'SELECT 1\nGO\nDELETE FROM a',
      'SELECT 1eDELETE FROM a',
      'SELECT 1\u00a0UPDATE a SET b = 1',
    ],
  ],
  ['sqlserver', 'ddl', ['SELECT * INTO #a FROM b', 'SELECT 1 INTO a', 'SELECT 1 DROP TABLE a']],
  [
    'sqlserver',
    'execute',
    [
      "EXEC('DELETE FROM a')",
      'sp_help',
      '[sp_help]',
      'IF 1 = 1 SELECT 1',
      'BEGIN SELECT 1 END',
      'SELECT 1 EXEC a',
    ],
  ],
  [
    'sqlserver',
    'administration',
    ['GRANT SELECT ON a TO b', 'DBCC CHECKDB', 'SHUTDOWN', 'SELECT 1 KILL 5'],
  ],
  [
    'sqlserver',
    'external',
    [
      "SELECT * FROM OPENROWSET('a', 'b', 'c')",
      "BULK INSERT a FROM 'b'",
      "BACKUP DATABASE a TO DISK = 'b'",
      'SELECT * FROM a.b.c.d',
      'SELECT * FROM [a]...[d]',
      'INSERT INTO a.b.c.d (e) VALUES (1)',
      "SELECT * FROM sys.dm_os_enumerate_filesystem('a', '*')",
      "SELECT * FROM master.sys.[dm_os_file_exists]('a')",
      "SELECT * FROM sys.fn_xe_file_target_read_file('a', NULL, NULL, NULL)",
      "SELECT * FROM ::fn_trace_gettable('a', 1)",
      "SELECT * FROM OPENDATASOURCE('a', 'b').c.d.e",
      "CREATE DATABASE a ON (NAME = b, FILENAME = 'c') FOR ATTACH",
      "CREATE CERTIFICATE a FROM FILE = 'b'",
      'CREATE FUNCTION a() RETURNS int AS EXTERNAL NAME b.c.d',
    ],
  ],
  ['sqlserver', 'unknown', ['SELECT 1 -- a\rDELETE FROM a', 'SELECT 1 DEL\\\nETE FROM a']],
];

describe.each(sqlByKind)('in %s, the kind %s is that of', (name, kind, sqls) => {
  test.each(sqls)('%s', (sql) => {
    const classification = classify(sql, languages[name]);
    expect({ ...classification, kind }).toEqual(classification);
  });
});

test('a classification has the verb that determines the kind, and a reason for each effect', () => {
  expect(
    classify("EXPLAIN ANALYZE DELETE FROM a WHERE b = lo_import('c')", languages.postgres),
  ).toMatchObject({
    kind: 'external',
    verb: 'EXPLAIN',
    reasons: [
      'DELETE changes or locks rows',
      'lo_import() accesses files, programs or the network',
    ],
    effects: [{ kind: 'write' }, { kind: 'external', calls: 'lo_import' }],
    statements: 1,
    isTemporary: false,
    isUnfinished: false,
  });
  expect(classify('set  transaction read write', languages.postgres).verb).toBe('SET TRANSACTION');
});

// A statement is temporary if its effect ends with the connection.
test.each<[string, keyof typeof languages, boolean]>([
  ['CREATE TEMP TABLE t (a int)', 'sqlite', true],
  ['create table temp.t (a int)', 'sqlite', true],
  ['PRAGMA foreign_keys = off', 'sqlite', true],
  ['pragma main.cache_size(10)', 'sqlite', true],
  ['PRAGMA user_version = 4', 'sqlite', false],
  ['CREATE TABLE temp (a int)', 'sqlite', false],
  ['CREATE OR REPLACE LOCAL TEMPORARY VIEW v AS SELECT 1', 'postgres', true],
  ['SELECT 1 AS a INTO TEMP t', 'postgres', true],
  ['CREATE TABLE t (temp int)', 'postgres', false],
  ['CREATE TEMPORARY TABLE t (a int)', 'mysql', true],
])('%s on %s: isTemporary is %s', (text, name, isTemporary) => {
  expect(classify(text, languages[name]).isTemporary).toBe(isTemporary);
});

describe('names that are also those of functions', () => {
  const postgres = languages.postgres;

  test.each([
    'CREATE TABLE "crosstabs" (a int)',
    'CREATE TABLE IF NOT EXISTS public.dblink_log (a int, b int REFERENCES dblink (id))',
    'CREATE UNIQUE INDEX i ON lo_import (a)',
    'CREATE INDEX ON public."dblink_log" (a)',
  ])('are those of tables: %s', (sql) => {
    expect(classify(sql, postgres).kind).toBe('ddl');
  });

  test.each([
    'CREATE INDEX i ON t ((dblink(a)))',
    'CREATE INDEX i ON t (a) WHERE dblink(a) IS NULL',
    'CREATE VIEW v AS SELECT 1 FROM t JOIN u ON dblink(a)',
    'CREATE TABLE t AS SELECT 1 FROM u JOIN v ON public.dblink (a)',
    'CREATE TABLE t (a int DEFAULT lo_import (1))',
    'SELECT 1 FROM t JOIN u ON lo_import(a) = 1',
    'SELECT dblink (1)',
  ])('are those of functions: %s', (sql) => {
    expect(classify(sql, postgres).kind).toBe('external');
  });
});

test('several statements are classified by the most severe one', () => {
  expect(classify('SELECT 1; DELETE FROM a; SELECT 2', languages.sqlite)).toMatchObject({
    kind: 'write',
    statements: 3,
  });
});

describe.each(languageNames)('in %s', (name) => {
  const language = languages[name];
  const { verbs } = language.statements;

  test('a text that begins with an unknown word is never a read', () => {
    const word = fc
      .stringMatching(/^[a-z]{1,12}$/)
      .filter((text) => !Object.hasOwn(verbs, text.toUpperCase()));
    fc.assert(
      fc.property(
        word,
        fc.constantFrom('', ' a', ' SELECT 1', '(SELECT 1)', ' AS (SELECT 1)'),
        (first, rest) => {
          expect(isReadKind(classify(first + rest, language).kind)).toBe(false);
        },
      ),
    );
  });

  test('a write is recognized regardless of comments, case and parentheses', () => {
    const blankOrComment = fc.constantFrom(
      ' ',
      '\n',
      '/**/',
      '/* SELECT */',
      '-- SELECT\n',
      '/* /* */ ',
      '\f',
    );
    const write = fc.constantFrom(
      'DELETE FROM a',
      'Insert INTO a VALUES (1)',
      'update a set b = 1',
    );
    fc.assert(
      fc.property(
        fc.array(blankOrComment),
        write,
        fc.array(blankOrComment),
        (before, text, behind) => {
          // If comments do not nest, the opening of a second one has no effect. If they nest,
          // everything after it is a comment.
          fc.pre(!language.lexical.nestedComments || !before.join('').includes('/* /*'));
          const sql =
            before.join('') + text.replace(' ', ` ${behind.join('').replaceAll('/* /* */', '')}`);
          expect(classify(sql, language).kind).toBe('write');
        },
      ),
    );
  });

  test('any text is classified', () => {
    const fragment = fc.constantFrom(
      'SELECT',
      'WITH',
      'EXPLAIN',
      'ANALYZE',
      'AS',
      'DELETE',
      'PRAGMA',
      'COPY',
      'TO',
      'INTO',
      'a',
      '(',
      ')',
      ';',
      ',',
      '.',
      "'",
      '"',
      '/*',
      '*/',
      '/*!',
      '--',
      '\n',
      '=',
      '$$',
      'BEGIN',
      'END',
      'constructor',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.array(fragment), (fragments) => {
        const { kind, reasons, statements } = classify(fragments.join(' '), language);
        expect(kind === 'empty').toBe(statements === 0);
        expect(reasons.length > 0).toBe(statements > 0);
      }),
    );
  });

  test.each(['(', '(WITH a AS ', 'WITH a AS () ', 'EXPLAIN ', 'a AS (', '(SELECT '])(
    '%j is classified, however often it is repeated',
    (text) => {
      expect(classify(`WITH a AS ${text.repeat(50_000)}`, language).statements).toBe(1);
    },
  );
});
