/** What triggers, routines and events of a script do outside of their database. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectsWithin } from '../../../src/databases/mysql/effects/program-effects.ts';

/** Statements within a database. A table stands for `{}`, an alias or a variable for `a`. */
const statements = [
  'SELECT a.x, a.y FROM {} AS a, {} AS b WHERE a.x IN (a.y, b.x) ORDER BY a.x',
  'SELECT EXTRACT(YEAR FROM a.x), TRIM(LEADING a.y FROM a.x), SUBSTRING(a.x FROM 2) INTO z FROM {} a',
  'SELECT 1 FROM (SELECT a.x FROM {} a) b JOIN {} c ON b.x = c.x, {} d WHERE c.x LIKE d.y',
  'SELECT count(*) FROM {} a LEFT JOIN ({} b, {} c) ON a.x LIKE b.x AND a.y = c.y',
  'INSERT INTO {} (x, y) SELECT a.x, INSERT(a.y, 1, 2, a.x) FROM {} a ON DUPLICATE KEY UPDATE x = a.x, y = a.y',
  'INSERT LOW_PRIORITY IGNORE INTO {} VALUES (NEW.x, OLD.y)',
  'REPLACE {} SET x = REPLACE(NEW.x, NEW.y, OLD.x)',
  'UPDATE IGNORE {} a, {} b SET a.x = b.x, a.password = b.password WHERE a.y = b.y',
  'DELETE a FROM {} a JOIN {} b USING (x) WHERE EXISTS (SELECT a.x FROM {} c)',
  'DELETE FROM {} WHERE x = 1 LIMIT 3',
  'TRUNCATE TABLE {}',
  'SET z = TRUNCATE(NEW.x, 2), NEW.y = (SELECT max(a.x) FROM {} a)',
  'CREATE TEMPORARY TABLE q (p int, KEY (p)) SELECT a.x FROM {} a',
  'CREATE TABLE IF NOT EXISTS {} LIKE {}',
  'DROP TABLE IF EXISTS {}, {}',
  'ALTER TABLE {} CHANGE x y int, DROP COLUMN z',
  'CREATE INDEX i ON {} (x, y)',
  'RENAME TABLE {} TO {}',
  'CALL {}(NEW.x)',
  'DO {}(1)',
  'SET z = {}(OLD.x) + NEXTVAL({})',
  "SET SESSION sql_mode = ''",
  'SET @a = 1, z = @@sql_mode',
  'IF NEW.x > 1 THEN UPDATE {} SET global = 1, start = 2; ELSE SET z = 1; END IF',
  'FOR r IN (SELECT x FROM {}) DO INSERT INTO {} VALUES (r.x); END FOR',
  'SELECT * FROM information_schema.tables a WHERE a.engine = NEW.x',
  'START TRANSACTION',
];

const administration = [
  'GRANT ALL ON *.* TO a',
  'REVOKE ALL ON *.* FROM a',
  'CREATE USER a',
  'CREATE OR REPLACE ROLE a',
  'drop /* a */ database a',
  'ALTER SCHEMA a CHARACTER SET latin1',
  'RENAME USER a TO b',
  'SET PASSWORD = PASSWORD(1)',
  'SET @a = 1, GLOBAL general_log = 1',
  'SET @@global.general_log = 1',
  'SET @@`global`.general_log = 1',
  'KILL 1',
  'SHUTDOWN',
  'FLUSH PRIVILEGES',
  'STOP SLAVE',
  "CHANGE MASTER TO MASTER_HOST = 'a'",
  'RESET MASTER',
  "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'a')",
  '/*!50003 DROP USER */ a',
];

const heads = [
  'CREATE PROCEDURE p(IN c decimal(10,2)) MODIFIES SQL DATA BEGIN ',
  'CREATE TRIGGER t BEFORE INSERT ON {} FOR EACH ROW BEGIN ',
  "CREATE EVENT e ON SCHEDULE EVERY 1 DAY COMMENT 'GRANT ALL ON b.c' DO l: BEGIN DECLARE z int DEFAULT 1; ",
];

const own = fc.constantFrom('t', '`T 1`', 'own.t', '`Own`.`t`', 'OWN . t');
const other = fc.constantFrom('other.t', '`other`.t', 'OTHER . `t`', '"other"."t"');

/** Replaces each `{}` by another name. */
function withNames(text: string, names: readonly string[]): string {
  let i = 0;
  return text.replaceAll('{}', () => names[i++ % names.length]!);
}

const program = fc.record({
  head: fc.constantFrom(...heads),
  body: fc.array(fc.constantFrom(...statements), { minLength: 1, maxLength: 5 }),
  names: fc.array(own, { minLength: 1, maxLength: 4 }),
});

describe('programs of MySQL and MariaDB', () => {
  test('within their database have no effects outside of it', () => {
    fc.assert(
      fc.property(program, ({ head, body, names }) => {
        const text = withNames(`${head}${body.join('; ')}; END`, names.map((name) => name.replace(' . ', '.'))); // prettier-ignore
        expect(effectsWithin(text, 'own'), text).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test('that name another database anywhere say so', () => {
    const withTables = statements.filter((statement) => statement.includes('{}'));
    fc.assert(
      fc.property(
        program,
        fc.constantFrom(...withTables),
        other,
        fc.nat(),
        (base, statement, name, at) => {
          const count = statement.split('{}').length - 1;
          const names = Array.from({ length: count }, (_, i) => (i === at % count ? name : 't'));
          const body = base.body.toSpliced(at % (base.body.length + 1), 0, withNames(statement, names)); // prettier-ignore
          const text = withNames(`${base.head}${body.join('; ')}; END`, ['t']);
          expect(
            effectsWithin(text, 'own').map(({ reason }) => reason),
            text,
          ).toEqual(['It names the database other, which is another one']);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('that administer the server anywhere say so', () => {
    const before = fc.constantFrom('', 'IF 1 THEN ', 'l: LOOP ', 'DECLARE EXIT HANDLER FOR SQLEXCEPTION ', 'DECLARE EXIT HANDLER FOR NOT FOUND '); // prettier-ignore
    fc.assert(
      fc.property(
        program,
        fc.constantFrom(...administration),
        before,
        fc.nat(),
        (base, statement, start, at) => {
          const body = base.body.toSpliced(at % (base.body.length + 1), 0, start + statement);
          const text = withNames(`${base.head}${body.join('; ')}; END`, ['t']);
          expect(effectsWithin(text, 'own').map(({ kind }) => kind), text).toEqual(['administration']); // prettier-ignore
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.each(administration)('are found without a block: %s', (statement) => {
    for (const head of [
      'CREATE PROCEDURE p() ',
      'CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO ',
      'CREATE PROCEDURE p() SQL SECURITY INVOKER ',
    ])
      // prettier-ignore
      expect(effectsWithin(head + statement, 'own')).toHaveLength(1);
  });
});
