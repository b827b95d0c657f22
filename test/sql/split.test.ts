import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { split } from '../../src/portable/lexer/split.ts';
import { languageNames, languages } from './languages.ts';
import type { LanguageName } from './languages.ts';

const splitTexts = (name: LanguageName, script: string): string[] =>
  split(script, languages[name]).map(({ text }) => text);

/** Single statements in which a delimiter or a keyword looks like the end of the statement. */
const singleStatements: readonly [LanguageName, string][] = [
  ['sqlite', 'CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET b = 1; DELETE FROM c; END'],
  [
    'sqlite',
    'CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; SELECT 1; END',
  ],
  [
    'sqlite',
    'CREATE TRIGGER t INSTEAD OF UPDATE ON a WHEN CASE new.end WHEN 1 THEN 0 END BEGIN SELECT 1; END',
  ],
  ['sqlite', 'SELECT [a;b], `c;d`, "e;f", \';\''],
  ['sqlite', 'SELECT 1 -- ;\r ; \n, 2'],
  ['postgres', 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT 2; $$'],
  [
    'postgres',
    'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN a THEN 2 END; END',
  ],
  [
    'postgres',
    'CREATE OR REPLACE PROCEDURE p() BEGIN ATOMIC INSERT INTO a VALUES (1); DELETE FROM b; END',
  ],
  [
    'postgres',
    'CREATE RULE r AS ON INSERT TO a DO ALSO (INSERT INTO b VALUES (1); DELETE FROM c;)',
  ],
  ['postgres', "DO $x$ BEGIN PERFORM ';'; END $x$"],
  ['postgres', String.raw`SELECT E'\'; ', U&'\003B;', "a;", ';' /* /* ; */ ; */ || 'b'`],
  ['mysql', 'CREATE PROCEDURE p() BEGIN DECLARE a INT; IF a THEN SET a = 1; END IF; SELECT a; END'],
  [
    'mysql',
    'CREATE DEFINER=`root`@`localhost` TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET @a = 1; END',
  ],
  [
    'mysql',
    'CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW IF new.b THEN SET new.c = 1; SET new.d = 2; END IF',
  ],
  [
    'mysql',
    'CREATE FUNCTION f() RETURNS INT BEGIN l: LOOP LEAVE l; END LOOP; RETURN IF(1, 2, 3); END',
  ],
  [
    'mysql',
    'CREATE PROCEDURE p() BEGIN CASE a WHEN 1 THEN SELECT 1; END CASE; WHILE a DO SELECT 2; END WHILE; END',
  ],
  [
    'mysql',
    'CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN REPEAT SELECT 1; UNTIL 1 END REPEAT; END',
  ],
  ['mysql', 'SELECT \'a\\\';\', "b\\";", `c;` # ;\n -- ;\n, 1'],
  [
    'mysql',
    '/*!50003 CREATE*/ /*!50017 DEFINER=`a`@`%`*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET @a = 1 */',
  ],
  ['sqlserver', 'BEGIN TRY SELECT 1; DELETE FROM a; END TRY BEGIN CATCH THROW; END CATCH'],
  [
    'sqlserver',
    'IF EXISTS (SELECT 1 FROM a) BEGIN DELETE FROM a; SELECT CASE WHEN 1 = 1 THEN 2 END; END ELSE SELECT 3',
  ],
  ['sqlserver', 'IF 1 = 1 DELETE FROM a ELSE IF 2 = 2 UPDATE a SET b = 1 ELSE SELECT 1'],
  ['sqlserver', "IF 1 = 1 PRINT 'a'; ELSE PRINT 'b'"],
  ['sqlserver', 'BEGIN CREATE TABLE a (b datetime2 GENERATED ALWAYS AS ROW END); PRINT 1 END'],
  ['sqlserver', 'IF 1 = 1 BEGIN SELECT CASE WHEN a = 1 THEN row END FROM b; PRINT 1 END'],
  ['sqlserver', 'WHILE @@FETCH_STATUS = 0 BEGIN FETCH NEXT FROM c INTO @a; PRINT @a; END'],
  [
    'sqlserver',
    'CREATE OR ALTER PROCEDURE p AS SELECT 1; DELETE FROM a; IF 1 = 1 SELECT 2; SELECT 3',
  ],
  [
    'sqlserver',
    'WITH a AS (SELECT 1 AS b) INSERT INTO c SELECT b FROM a UNION ALL SELECT 2 EXCEPT SELECT 3',
  ],
  ['sqlserver', 'CREATE VIEW v AS WITH a AS (SELECT 1 AS b) SELECT b FROM a'],
  [
    'sqlserver',
    'MERGE INTO a USING b ON a.c = b.c WHEN MATCHED THEN UPDATE SET d = 1 WHEN NOT MATCHED THEN INSERT (c) VALUES (1) WHEN NOT MATCHED BY SOURCE THEN DELETE',
  ],
  [
    'sqlserver',
    'ALTER TABLE a ADD CONSTRAINT b FOREIGN KEY (c) REFERENCES d (e) ON DELETE CASCADE ON UPDATE SET NULL',
  ],
  ['sqlserver', 'ALTER TABLE a DROP COLUMN IF EXISTS b'],
  ['sqlserver', 'ALTER TABLE a ALTER COLUMN b int NULL'],
  ['sqlserver', 'DROP TABLE IF EXISTS a'],
  ['sqlserver', 'GRANT SELECT, INSERT, UPDATE ON a TO b WITH GRANT OPTION'],
  ['sqlserver', 'INSERT INTO a EXEC p'],
  ['sqlserver', 'SELECT a FROM b ORDER BY a OFFSET 1 ROWS FETCH NEXT 1 ROWS ONLY'],
  ['sqlserver', 'DECLARE c CURSOR FOR SELECT a FROM b FOR UPDATE OF a'],
  [
    'sqlserver',
    "SELECT [a;DROP TABLE b], N';' FROM a INNER MERGE JOIN b ON a.c = b.c OPTION (MERGE JOIN)",
  ],
];

test.each(singleStatements)('%s: %s is one statement', (name, text) => {
  expect(splitTexts(name, `${text};`)).toEqual([text]);
  expect(splitTexts(name, `-- a\n${text}\n/* b */`)).toEqual([text]);
});

const scripts: readonly [LanguageName, string, readonly string[]][] = [
  ['sqlite', 'BEGIN; DELETE FROM a; END; SELECT 1', ['BEGIN', 'DELETE FROM a', 'END', 'SELECT 1']],
  ['sqlite', '/* /* */ SELECT 1; */ SELECT 2', ['SELECT 1', '*/ SELECT 2']],
  ['postgres', "SELECT '\\'; DELETE FROM a; --'", ["SELECT '\\'", 'DELETE FROM a']],
  [
    'postgres',
    'BEGIN; SELECT CASE WHEN 1 THEN 2; END',
    ['BEGIN', 'SELECT CASE WHEN 1 THEN 2', 'END'],
  ],
  ['mysql', 'BEGIN; SELECT IF(1, 2, 3); END', ['BEGIN', 'SELECT IF(1, 2, 3)', 'END']],
  [
    'mysql',
    'CREATE TABLE a (b int); BEGIN; SELECT 1',
    ['CREATE TABLE a (b int)', 'BEGIN', 'SELECT 1'],
  ],
  [
    'mysql',
    'DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END//\nDELIMITER ;\nCALL p();',
    ['CREATE PROCEDURE p() BEGIN SELECT 1; END', 'CALL p()'],
  ],
  // The client sends what is between its delimiters, and the server runs each statement of it.
  ['mysql', 'DELIMITER $$\nSELECT 1$$ SELECT 2; SELECT 3$$', ['SELECT 1', 'SELECT 2', 'SELECT 3']],
  [
    'mysql',
    'DELIMITER //\nDROP PROCEDURE IF EXISTS p;\nCREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END;\n//\nSELECT 3//',
    [
      'DROP PROCEDURE IF EXISTS p',
      'CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END;',
      'SELECT 3',
    ],
  ],
  [
    'mysql',
    'DELIMITER ;;\nBEGIN; SELECT 1;;\nBEGIN NOT ATOMIC SELECT 1; END;;\n/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE UPDATE ON a FOR EACH ROW BEGIN SET @a = 1; END */;;',
    [
      'BEGIN',
      'SELECT 1',
      'BEGIN NOT ATOMIC SELECT 1; END',
      '/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE UPDATE ON a FOR EACH ROW BEGIN SET @a = 1; END */',
    ],
  ],
  [
    'sqlserver',
    'SELECT 1 DELETE FROM a UPDATE a SET b = 1 SELECT 2',
    ['SELECT 1', 'DELETE FROM a', 'UPDATE a SET b = 1', 'SELECT 2'],
  ],
  [
    'sqlserver',
    'INSERT INTO a VALUES (1) SELECT 1 INSERT INTO a SELECT 2 SELECT 3',
    ['INSERT INTO a VALUES (1)', 'SELECT 1', 'INSERT INTO a SELECT 2', 'SELECT 3'],
  ],
  [
    'sqlserver',
    'CREATE TABLE a (b int) CREATE TABLE c (d int)',
    ['CREATE TABLE a (b int)', 'CREATE TABLE c (d int)'],
  ],
  [
    'sqlserver',
    'DROP TABLE a IF EXISTS (SELECT 1) DROP TABLE b',
    ['DROP TABLE a', 'IF EXISTS (SELECT 1) DROP TABLE b'],
  ],
  ['sqlserver', 'DROP TABLE IF EXISTS a SELECT 1', ['DROP TABLE IF EXISTS a', 'SELECT 1']],
  [
    'sqlserver',
    'ALTER TABLE a NOCHECK CONSTRAINT ALL DELETE FROM a',
    ['ALTER TABLE a NOCHECK CONSTRAINT ALL', 'DELETE FROM a'],
  ],
  [
    'sqlserver',
    'SELECT a FROM b ORDER BY a OFFSET 1 ROWS DELETE FROM a',
    ['SELECT a FROM b ORDER BY a OFFSET 1 ROWS', 'DELETE FROM a'],
  ],
  [
    'sqlserver',
    'GRANT SELECT ON a TO b SELECT 1 GRANT CREATE TABLE TO b',
    ['GRANT SELECT ON a TO b', 'SELECT 1', 'GRANT CREATE TABLE TO b'],
  ],
  [
    'sqlserver',
    'IF 1 = 1 SELECT 1 ELSE SELECT 2 SELECT 3',
    ['IF 1 = 1 SELECT 1 ELSE SELECT 2', 'SELECT 3'],
  ],
  ['sqlserver', 'SELECT 1eDELETE FROM a', ['SELECT 1e', 'DELETE FROM a']],
  ['sqlserver', 'SELECT 1\u00a0DELETE FROM a', ['SELECT 1', 'DELETE FROM a']],
  ['sqlserver', 'BEGIN TRAN SELECT 1 COMMIT TRAN', ['BEGIN TRAN', 'SELECT 1', 'COMMIT TRAN']],
  [
    'sqlserver',
    'SET NOCOUNT ON DECLARE @a int = 1 SELECT @a',
    ['SET NOCOUNT ON', 'DECLARE @a int = 1', 'SELECT @a'],
  ],
];

test.each(scripts)('%s: %j is several statements', (name, script, expected) => {
  expect(splitTexts(name, script)).toEqual(expected);
});

test('a statement has its position and its first word', () => {
  const script = 'SELECT 1;\r\n\r\n  -- x\n  (select 2) ;';
  expect(split(script, languages.sqlite)).toEqual([
    {
      text: 'SELECT 1',
      start: 0,
      end: 8,
      line: 1,
      column: 1,
      firstWord: 'SELECT',
      batch: 0,
      repeat: 1,
    },
    {
      text: '(select 2)',
      start: 22,
      end: 32,
      line: 4,
      column: 3,
      firstWord: 'SELECT',
      batch: 0,
      repeat: 1,
    },
  ]);
});

test('GO ends a batch and can repeat it', () => {
  const script = 'SELECT 1; SELECT 2\nGO 3\nGO\nCREATE PROC p AS SELECT 1; SELECT 2\ngo\nSELECT 3';
  const batches = split(script, languages.sqlserver).map(({ batch, repeat }) => [batch, repeat]);
  expect(batches).toEqual([
    [0, 3],
    [0, 3],
    [2, 1],
    [3, 1],
  ]);
});

test('rows of COPY belong to their statement', () => {
  const script =
    '\\restrict a\nSELECT 1;\nCOPY a (b) FROM stdin;\n1\n;\n\\.\n\n\\connect b\nSELECT 2;';
  const [, copy, last] = split(script, languages.postgres);
  expect(copy?.text).toBe('COPY a (b) FROM stdin');
  expect(script.slice(copy?.rows?.start, copy?.rows?.end)).toBe('1\n;\n');
  expect(last?.text).toBe('SELECT 2');
});

test('a text of white space, comments and delimiters has no statement', () => {
  for (const name of languageNames) expect(splitTexts(name, ' ;; /* a */ ; -- b\n')).toEqual([]);
});

/** White space and comments, which separate the words of a statement in every dialect. */
const separator = fc.constantFrom(
  ' ',
  '\n',
  '\t',
  ' /* ; DELETE \' " */ ',
  ' -- ; GO\n',
  '\n/**/\n',
  ' /* -- */ ',
);
const operandArbitrary = fc.constantFrom(
  "'; DROP TABLE a'",
  "''",
  "';'''",
  '1',
  'a',
  "'--'",
  "'/*'",
  'b.c',
  "'BEGIN'",
  '(1)',
);
const statement = fc
  .tuple(separator, fc.array(fc.tuple(operandArbitrary, separator), { minLength: 1, maxLength: 5 }))
  .map(
    ([first, operands]) => `SELECT${first}${operands.map((part) => part.join('')).join(',')}+ 1`,
  );

describe.each(languageNames)('in %s', (name) => {
  test('a statement with any mix of comments and quotes is one', () => {
    fc.assert(
      fc.property(separator, statement, separator, (before, text, behind) => {
        expect(splitTexts(name, before + text + behind)).toEqual([text]);
      }),
    );
  });

  test('joined statements are split again', () => {
    const statementsOfDialect = singleStatements
      .filter(([dialect]) => dialect === name)
      .map(([, text]) => text);
    const anyStatement = fc.oneof(statement, fc.constantFrom(...statementsOfDialect));
    fc.assert(
      fc.property(fc.array(fc.tuple(anyStatement, separator)), (parts) => {
        const script = parts.map(([text, following]) => `${text};${following}\nGO\n`).join('\n');
        const scriptOfDialect = name === 'sqlserver' ? script : script.replaceAll('\nGO\n', '\n');
        expect(splitTexts(name, scriptOfDialect)).toEqual(parts.map(([text]) => text));
      }),
    );
  });

  test('only white space, comments, delimiters and client commands are between statements', () => {
    const { lexical } = languages[name];
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'SELECT 1',
            ';',
            "';'",
            '/*;*/',
            '\n',
            'CASE',
            'END',
            '(',
            ')',
            ' BEGIN ',
          ),
        ),
        (fragments) => {
          const script = fragments.join('');
          const statements = split(script, { ...languages[name], lexical });
          let textBetween = '';
          let endOfPrevious = 0;
          for (const { start, end, text } of statements) {
            expect(text).toBe(script.slice(start, end));
            textBetween += script.slice(endOfPrevious, start);
            endOfPrevious = end;
          }
          expect(
            (textBetween + script.slice(endOfPrevious))
              .replaceAll('/*;*/', '')
              .replaceAll(/[;\s]/g, ''),
          ).toBe('');
        },
      ),
    );
  });
});
