/** Views of dumps, imported by a login that cannot create the temporary database of a trial. */
import { expect, test } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';

const database = useMariadb();

test('are left out by name if the database rejects them, and the rest is kept', async () => {
  const { name, query, urlWith } = database();
  const user = `studio_${name.slice(-12)}`;
  await query(`CREATE USER ${user} IDENTIFIED BY 'p'; GRANT ALL ON ${name}.* TO ${user}`);
  try {
    const script = `CREATE TABLE t (id integer PRIMARY KEY, v varchar(10));
CREATE VIEW a AS SELECT id FROM t;
CREATE VIEW b AS SELECT missing FROM t;
CREATE VIEW c AS SELECT * FROM b;
INSERT INTO t VALUES (1, 'a'), (2, 'b');
CREATE TRIGGER d BEFORE INSERT ON t FOR EACH ROW SET NEW.missing = 1;
`;
    const url = urlWith({ user, password: 'p' });
    const { warnings } = await importDumpFile(url, script, { dialect: 'mysql' });
    expect(warnings).toEqual([
      expect.stringMatching(/^The view b is left out: .*missing/),
      expect.stringMatching(/^The view c is left out, as b is: ./),
      expect.stringMatching(/^Line 6: the trigger d is left out: .*missing/),
    ]);
    expect(await query('SELECT * FROM a ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  } finally {
    await query(`DROP USER ${user}`);
  }
});
