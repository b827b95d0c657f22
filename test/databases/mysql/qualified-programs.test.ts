/** Programs of dumps whose names are qualified by the database of the dump. */
import { expect, test } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { createTestDatabase } from '../../servers/mariadb.ts';

// Skips the tests if there is no server.
useMariadb();

const definer = '/*!50017 DEFINER=`root`@`localhost`*/';

/** `name` of the database, also as the name of a table. */
function scriptOf(database: string, table: string, use: string): string {
  return `${use}CREATE TABLE ${use === '' ? `${database}.` : ''}${table} (id int NOT NULL PRIMARY KEY);
CREATE TABLE ${use === '' ? `${database}.` : ''}log (n int);
INSERT INTO ${table} VALUES (1);
DELIMITER ;;
/*!50003 CREATE*/ ${definer} /*!50003 TRIGGER \`${database}\`.\`t_AFTER_INSERT\` AFTER INSERT ON \`${database}\`.\`${table}\` FOR EACH ROW
BEGIN
  INSERT INTO log SELECT ${table}.id FROM ${table} WHERE ${table}.id = NEW.id;
END */;;
CREATE FUNCTION \`${database.toUpperCase()}\`.f() RETURNS int READS SQL DATA RETURN (SELECT count(*) FROM ${table} WHERE ${table}.id > 0);;
CREATE PROCEDURE \`${database}\`.p() BEGIN SELECT ${table}.id FROM ${table}; END;;
CREATE EVENT ${database}.e ON SCHEDULE EVERY 1 DAY DISABLE DO DELETE FROM log;;
DELIMITER ;
`;
}

const own = ['trigger t_AFTER_INSERT', 'function f', 'procedure p', 'event e'];

test.each([
  ['after USE', 'shop', 't', 'USE `shop`;\n'],
  ['with qualified tables', 'shop', 't', ''],
  ['and by a table of the same name', 'shop', 'shop', 'USE `shop`;\n'],
])('%s are created in the imported database', async (_title, database, table, use) => {
  await onNewDatabase(createTestDatabase, async ({ url, query }) => {
    const script = scriptOf(database, table, use);
    const { warnings, routines_created: created } = await importDumpFile(url, script);
    expect(warnings.filter((warning) => /trigger|function|procedure|event/.test(warning))).toEqual(
      [],
    );
    expect(created.toSorted()).toEqual(own.toSorted());
    await query(`INSERT INTO ${table} VALUES (2)`);
    expect(await query('SELECT n FROM log')).toEqual([{ n: 2 }]);
    expect((await query('SELECT f() AS n')).map(({ n }) => Number(n))).toEqual([2]);
  });
});

test('name the database of the dump in bodies, too', async () => {
  await onNewDatabase(createTestDatabase, async ({ url, query }) => {
    const script = `USE shop;
CREATE TABLE t (id int PRIMARY KEY);
CREATE TABLE log (n int);
CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW INSERT INTO shop.log SELECT shop.t.id FROM \`shop\`.t;
`;
    await importDumpFile(url, script);
    await query('INSERT INTO t VALUES (3)');
    expect(await query('SELECT n FROM log')).toEqual([{ n: 3 }]);
  });
});

test('are left out with the reason in another database', async () => {
  await onNewDatabase(createTestDatabase, async ({ url }) => {
    const script = `USE shop;
CREATE TABLE t (id int PRIMARY KEY) ENGINE=InnoDB;
CREATE TRIGGER other.a AFTER INSERT ON t FOR EACH ROW SET @a = 1;
CREATE TRIGGER b AFTER INSERT ON other.t FOR EACH ROW SET @a = 1;
`;
    const { warnings, routines_created: created } = await importDumpFile(url, script);
    expect(created).toEqual([]);
    expect(warnings).toEqual([
      'Line 3: the trigger a is left out: it is in another database, other.',
      expect.stringMatching(/^Line 4: the trigger b .*is left out/),
    ]);
  });
});
