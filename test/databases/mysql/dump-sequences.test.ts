/** Sequences of MariaDB in dumps. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { dumpOf } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { mysqlUnderTest } from '../kit/databases-under-test/mysql.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';

const mariadb = useMariadb();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

/** Without the comment that names the database. */
const textOf = async ({ url }: TestDatabase): Promise<string> =>
  (await dumpOf(url)).text.replace(/^-- Dump of .*\n/, '');

const runClient = (url: string, script: string): void => {
  const [command, ...args] = mysqlUnderTest.client(url);
  execFileSync(command, args, { input: script, stdio: 'pipe' });
};

/** As mariadb-dump writes it. */
function dumpOfServer(url: string): string {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = [`--host=${hostname}`, `--port=${port}`, `--user=${username}`, `--password=${password}`]; // prettier-ignore
  return execFileSync('mariadb-dump', ['--protocol=tcp', ...login, pathname.slice(1)]).toString();
}

const names = ['s', 'Odd `name', 'é x', 'next'];
const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** The definition, the next value and what else the server stores of each sequence, and the defaults that use them. */
async function found(database: TestDatabase): Promise<readonly unknown[]> {
  const sequences = await database.query(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'SEQUENCE' ORDER BY 1",
  );
  const states = [];
  for (const { name } of sequences) states.push(name, await database.query(`SELECT * FROM ${quoted(String(name))}`)); // prettier-ignore
  const defaults = await database.query(
    "SELECT REPLACE(column_default, DATABASE(), '') AS text FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 't' ORDER BY ordinal_position",
  );
  return [...states, defaults];
}

const sequence = fc.record({
  name: fc.constantFrom(...names),
  options: fc.constantFrom('', 'START WITH 100 INCREMENT BY 5 MAXVALUE 5000 CYCLE', 'START -2 INCREMENT BY -1 MINVALUE -90 MAXVALUE -1', 'MINVALUE 0 START 3 NOCACHE'), // prettier-ignore
  draws: fc.integer({ min: 0, max: 3 }),
  isDefault: fc.boolean(),
});

test('sequences are the same after a round trip', async ({ skip }) => {
  if (!mariadb().isMariadb) skip('MySQL has no sequences');
  const sequences = fc.uniqueArray(sequence, { minLength: 1, maxLength: 3, selector: ({ name }) => name }); // prettier-ignore
  await fc.assert(
    fc.asyncProperty(sequences, async (all) => {
      await onNew(async (database) => {
        for (const { name, options, draws } of all) {
          await database.query(`CREATE SEQUENCE ${quoted(name)} ${options}`);
          for (let i = 0; i < draws; i++) await database.query(`SELECT NEXTVAL(${quoted(name)})`);
        }
        const columns = all.map(({ name, isDefault }, i) => `c${i} BIGINT ${isDefault ? `DEFAULT NEXTVAL(${quoted(name)})` : ''}`); // prettier-ignore
        await database.query(
          `CREATE TABLE t (${columns.join(', ')}); INSERT INTO t (c0) VALUES (1)`,
        );
        const text = await textOf(database);
        expect(text).not.toContain('-- Left out');
        const expected = await found(database);
        await onNew(async (copy) => {
          runClient(copy.url, text);
          expect(await found(copy)).toEqual(expected);
        });
        for (const dump of [text, dumpOfServer(database.url)]) {
          await onNew(async (copy) => {
            expect(await importDumpFile(copy.url, dump)).toMatchObject({ warnings: [] });
            expect(await found(copy)).toEqual(expected);
            expect(await textOf(copy)).toBe(text);
          });
        }
      });
    }),
    { numRuns: 12 },
  );
}, 240_000);

test('a failed import leaves no sequence', async ({ skip }) => {
  if (!mariadb().isMariadb) skip('MySQL has no sequences');
  await onNew(async (copy) => {
    const text = 'CREATE SEQUENCE s; DO SETVAL(s, 50); CREATE TABLE t (a INT PRIMARY KEY DEFAULT NEXTVAL(s)); INSERT INTO t VALUES (1), (1);'; // prettier-ignore
    await expect(importDumpFile(copy.url, text, { dialect: 'mysql' })).rejects.toThrow();
    expect(await copy.query('SHOW TABLES')).toEqual([]);
  });
});
