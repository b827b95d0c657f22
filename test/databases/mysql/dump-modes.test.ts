/** Dumps of mariadb-dump whose parts are written under different modes of `sql_mode`. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { exportAll } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';

// Skips the tests if there is no server.
useMariadb();

function dump(url: string, options: readonly string[]): Buffer {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = [`-h${hostname}`, `-P${port}`, `-u${username}`, `--password=${password}`];
  return execFileSync('mariadb-dump', ['--protocol=tcp', '--routines', ...options, ...login, pathname.slice(1)]); // prettier-ignore
}

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

/** Modes under which the text of a program is read in another way. */
const lexical = ['ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES', 'ANSI', 'ORACLE'] as const;
const modes = ['', 'STRICT_TRANS_TABLES', ...lexical];

const program = fc.record({
  mode: fc.constantFrom(...modes),
  kind: fc.constantFrom('procedure', 'function', 'trigger'),
});

function statementOf(kind: string, name: string, mode: string): string {
  const quoted = /ANSI|ORACLE/.test(mode) ? `"${name}"` : `\`${name}\``;
  const text = mode === 'NO_BACKSLASH_ESCAPES' ? String.raw`'a\'` : `'a;b'`;
  if (mode === 'ORACLE' && kind !== 'trigger')
    return kind === 'procedure'
      ? `CREATE PROCEDURE ${quoted}(x INT) AS BEGIN UPDATE "t 1" SET v = ${text} WHERE id = x; END`
      : `CREATE FUNCTION ${quoted} RETURN VARCHAR(9) AS BEGIN RETURN ${text}; END`;
  return {
    procedure: `CREATE PROCEDURE ${quoted}(x INT) BEGIN SET @a = ${text}; END`,
    function: `CREATE FUNCTION ${quoted}() RETURNS varchar(9) DETERMINISTIC RETURN ${text}`,
    trigger: `CREATE TRIGGER ${quoted} BEFORE UPDATE ON \`t 1\` FOR EACH ROW BEGIN SET @a = ${text}; END`,
  }[kind]!;
}

test('leave out by name the programs whose text another mode reads in another way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(program, { minLength: 1, maxLength: 5 }), async (programs) => {
      await onNew(async (database) => {
        await database.query("CREATE TABLE `t 1` (id int PRIMARY KEY, v varchar(20) DEFAULT '\"')");
        await database.query(String.raw`INSERT INTO ${'`t 1`'} VALUES (1, 'a\\b"c\'d'), (2, '"')`);
        for (const [i, { kind, mode }] of programs.entries()) {
          const statement = statementOf(kind, `p${i}`, mode);
          execFileSync(
            'mariadb',
            clientArguments(database.url),
            { input: `SET sql_mode = '${mode}';\nDELIMITER ;;\n${statement};;\n` }, // prettier-ignore
          );
        }
        const text = dump(database.url, []);
        await onNew(async (copy) => {
          const { warnings, routines_created: created } = await importDumpFile(copy.url, text);
          const named = (isLeftOut: boolean): readonly string[] =>
            programs.flatMap(({ kind, mode }, i) =>
              lexical.some((each) => each === mode) === isLeftOut ? [`${kind} p${i}`] : [],
            );
          expect(created.toSorted()).toEqual(named(false).toSorted());
          const leftOut = warnings
            .filter((warning) => warning.includes('sql_mode'))
            .map((warning) =>
              /the (\w+ \S+) is left out/.exec(warning)?.[1]?.replaceAll(/["`]/g, ''),
            );
          expect(leftOut.toSorted()).toEqual(named(true).toSorted());
          expect((await exportAll(copy.url)).text).toBe((await exportAll(database.url)).text);
        });
      });
    }),
    { numRuns: 10 },
  );
}, 120_000);

function clientArguments(url: string): readonly string[] {
  const { hostname, port, username, password, pathname } = new URL(url);
  return ['--protocol=tcp', `-h${hostname}`, `-P${port}`, `-u${username}`, `--password=${password}`, pathname.slice(1)]; // prettier-ignore
}

test('in which all names are in double quotes have their tables, views and rows', async () => {
  const name = fc.stringMatching(/^[a-z][ a-z`"']{0,8}[a-z]$/);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 2, maxLength: 4 }), async (names) => {
      const quote = (text: string): string => `\`${text.replaceAll('`', '``')}\``;
      const [table = '', ...columns] = names;
      await onNew(async (database) => {
        const definitions = columns.map((column) => `${quote(column)} varchar(20) DEFAULT '"a''b'`);
        await database.query(`CREATE TABLE ${quote(table)} (id int PRIMARY KEY, ${definitions.join(', ')})`); // prettier-ignore
        await database.query(`INSERT INTO ${quote(table)} (id) VALUES (1), (2)`);
        await database.query(`CREATE VIEW ${quote(`${table}v`)} AS SELECT ${quote(columns[0]!)} FROM ${quote(table)}`); // prettier-ignore
        const text = dump(database.url, ['--compatible=ansi']);
        await onNew(async (copy) => {
          await importDumpFile(copy.url, text, { dialect: 'mysql' });
          const shown = async ({ query }: TestDatabase): Promise<unknown> => {
            const rows = await query(`SHOW FULL TABLES`);
            return (JSON.stringify(rows) ?? '').replaceAll(/Tables_in_\w+/g, '');
          };
          expect(await shown(copy)).toEqual(await shown(database));
          expect((await exportAll(copy.url)).text).toBe((await exportAll(database.url)).text);
        });
      });
    }),
    { numRuns: 10 },
  );
}, 120_000);
