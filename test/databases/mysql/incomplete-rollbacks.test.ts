/**
 * A trigger can write to a table whose storage engine cannot roll back, directly or through calls. An import or a
 * set of changes is rejected exactly if the server itself does not roll all of it back.
 */
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { importFile } from '../importing.ts';
import { failureOf } from '../kit/harness.ts';

const database = useMariadb();
const isLong = Boolean(process.env['STUDIO_TEST_LONG']);
const numRuns = isLong ? 150 : 12;

/** Each statement writes to the table or view of this name, which has one row with k = 1. */
const writes: readonly ((target: string) => string)[] = [
  (name) => `INSERT INTO ${name} (k, n) VALUES (2, 2)`,
  (name) => `INSERT IGNORE INTO ${name} (k, n) VALUES (3, 3)`,
  (name) => `INSERT ${name} (k, n) SELECT 4, COUNT(*) FROM other`,
  (name) => `INSERT INTO ${name} (k, n) VALUES (1, 5) ON DUPLICATE KEY UPDATE n = n + 1`,
  (name) => `REPLACE INTO ${name} (k, n) VALUES (1, 7)`,
  (name) => `UPDATE ${name} SET n = n + 1 WHERE k = 1`,
  (name) => `DELETE FROM ${name} WHERE k = 1`,
];

/** Notations for the name of a table or view. */
const notations: readonly ((name: string, schema: string) => string)[] = [
  (name) => name,
  (name) => `\`${name}\``,
  (name, schema) => `${schema}.${name}`,
  (name, schema) => `\`${schema}\` . /* of the test */ ${name}`,
];

/** The kinds of objects through which the trigger reaches the table. */
const links = ['function', 'procedure', 'view', 'table'] as const;

const chain = fc.record({
  engine: fc.constantFrom('InnoDB', 'MyISAM', 'Aria', 'MEMORY'),
  write: fc.constantFrom(...writes),
  notation: fc.constantFrom(...notations),
  links: fc.array(fc.constantFrom(...links), { maxLength: 3 }),
  when: fc.constantFrom('BEFORE', 'AFTER'),
});

type Chain = typeof chain extends fc.Arbitrary<infer T> ? T : never;

/**
 * The statements that create the objects behind a write to the target. The trigger's statement
 * comes last.
 */
function makeChain({ engine, write, notation, links, when }: Chain): string[] {
  const { name: schema } = database();
  let statement = write(notation('target', schema));
  const commonStatements = [
    `CREATE TABLE target (k INT PRIMARY KEY, n INT) ENGINE=${engine}`,
    'INSERT INTO target VALUES (1, 1)',
  ];
  let top = 'target';
  for (const [i, link] of links.toReversed().entries()) {
    const name = `link_${i}`;
    if (link === 'view') {
      // Only the last write can go through a view.
      if (top !== 'target' && !top.startsWith('view')) continue;
      commonStatements.push(`CREATE VIEW view_${name} AS SELECT k, n FROM ${top}`);
      top = `view_${name}`;
      statement = write(notation(top, schema));
      continue;
    }
    top = name;
    if (link === 'function') {
      commonStatements.push(
        `CREATE FUNCTION ${name}(x INT) RETURNS INT MODIFIES SQL DATA BEGIN ${statement}; RETURN x; END`,
      );
      statement = `SET @studio = ${notation(name, schema)}(1)`;
    } else if (link === 'procedure') {
      commonStatements.push(`CREATE PROCEDURE ${name}() BEGIN ${statement}; END`);
      statement = `CALL ${notation(name, schema)}`;
    } else {
      commonStatements.push(
        `CREATE TABLE ${name} (k INT, n INT) ENGINE=InnoDB`,
        `CREATE TRIGGER ${name}_t AFTER INSERT ON ${name} FOR EACH ROW BEGIN ${statement}; END`,
      );
      statement = `INSERT INTO ${notation(name, schema)} (k, n) VALUES (1, 1)`;
    }
  }
  // Reading from a table without transactions, or naming it in a string or comment, is no write.
  const harmless =
    "SET @other = (SELECT MAX(n) FROM other), @text = 'insert into other'; /* update other */";
  return [
    ...commonStatements,
    `CREATE TRIGGER loaded_t ${when} INSERT ON loaded FOR EACH ROW BEGIN ${harmless} ${statement}; END`,
  ];
}

async function recreateDatabase(statements: readonly string[]): Promise<void> {
  const { name } = database();
  await database().query(`DROP DATABASE ${name}; CREATE DATABASE ${name}`);
  await database().query(
    'CREATE TABLE loaded (id INT PRIMARY KEY) ENGINE=InnoDB; CREATE TABLE other (n INT) ENGINE=MyISAM',
  );
  for (const statement of statements) await database().query(statement);
}

async function checksum(): Promise<string> {
  const tables = await database().query(
    "SELECT TABLE_NAME AS t FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' ORDER BY 1",
  );
  const names = tables.map(({ t }) => String(t)).join(', ');
  return JSON.stringify(await database().query(`CHECKSUM TABLE ${names}`));
}

/** Whether a rolled back INSERT leaves nothing, according to the server. */
async function rollsBack(): Promise<boolean> {
  const before = await checksum();
  await database().query('START TRANSACTION; INSERT INTO loaded VALUES (1); ROLLBACK');
  return (await checksum()) === before;
}

const file = ['rows.csv', 'id\n1\n'] as const;
const fileWithInvalidRow = ['rows.csv', 'id\n1\nx\n'] as const;

async function failureCode(file: readonly [string, string], dryRun: boolean): Promise<string> {
  const pendingLoad = importFile(database().url, file, {
    table: 'loaded',
    fields: { dry_run: String(dryRun) },
  });
  return pendingLoad.then(
    () => 'done',
    (error: unknown) => String((error as { code?: unknown }).code),
  );
}

describe('what the triggers of a table write', () => {
  test('decides whether an import is rejected before it writes', async () => {
    await fc.assert(
      fc.asyncProperty(chain, async (each) => {
        await recreateDatabase(makeChain(each));
        const before = await checksum();
        const codes = [await failureCode(fileWithInvalidRow, false), await failureCode(file, true)];
        expect(await checksum()).toBe(before);
        const expected = (await rollsBack()) ? 'done' : 'not_writable';
        expect(codes[1]).toBe(expected);
        if (expected === 'done') expect(await failureCode(file, false)).toBe('done');
      }),
      { numRuns },
    );
  }, 900_000);

  test('the error names the table, and sets of changes are rejected too', async () => {
    await recreateDatabase(makeChain({ ...plain, engine: 'MyISAM', links: ['function'] }));
    const before = await checksum();
    await expect(importFile(database().url, file, { table: 'loaded' })).rejects.toThrow(
      'Trigger "loaded_t" of table "loaded", through function "link_0", writes to table "target" of the storage engine MyISAM, which cannot roll back: an import that fails could not be undone.',
    );
    const studio = await createStudio({ url: database().url });
    onTestFinished(() => studio.close());
    const change = (ids: readonly number[]) =>
      studio.perform('change-rows', {
        table: 'loaded',
        body: JSON.stringify({ create: ids.map((id) => ({ id })) }),
        showDeleted: false,
        permanent: false,
      });
    expect(await failureOf(change([1, 1]))).toMatchObject({ code: 'not_writable' });
    expect(await checksum()).toBe(before);
    await change([1]);
    expect(await database().query('SELECT id FROM loaded')).toEqual([{ id: 1 }]);
  });

  const plain = { write: writes[0]!, notation: (name: string) => name, when: 'AFTER' } as const;

  async function urlOfRestrictedLogin(privileges: string, furtherStatements = ''): Promise<string> {
    const { name } = database();
    const user = `studio_blind_${name.slice(-8)}`;
    onTestFinished(async () => void (await database().query(`DROP USER ${user}`)));
    await database().query(
      `CREATE USER ${user} IDENTIFIED BY 'blind'; GRANT ${privileges} ON ${name}.loaded TO ${user}; ${furtherStatements.replaceAll('user', user)}`,
    );
    return database().urlWith({ user, password: 'blind' });
  }

  test('is reported after a dry run if the login cannot see the trigger', async () => {
    await recreateDatabase(makeChain({ ...plain, engine: 'MyISAM', links: [] }));
    const url = await urlOfRestrictedLogin('SELECT, INSERT');
    const fields = { dry_run: 'true' };
    await expect(importFile(url, file, { table: 'loaded', fields })).rejects.toThrow(
      'Writes to tables without transactions (MyISAM, Aria, MEMORY …), for example by triggers, could not be rolled back.',
    );
    expect(await database().query('SELECT id FROM loaded')).toEqual([]);
  });

  test('is rejected if the login cannot see what a trigger calls', async () => {
    await recreateDatabase(makeChain({ ...plain, engine: 'InnoDB', links: ['function'] }));
    const granted = `GRANT EXECUTE ON FUNCTION ${database().name}.link_0 TO user`;
    const url = await urlOfRestrictedLogin('SELECT, INSERT, TRIGGER', granted);
    await expect(importFile(url, file, { table: 'loaded' })).rejects.toThrow(
      'this login may not see the definition of function "link_0"',
    );
  });
});
