/** Dumps of rows by the tools of each database, imported into an empty database. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { exportAll } from '../exporting.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { nativeRows } from './native-rows.ts';
import type { NativeRows } from './native-rows.ts';

interface Dump {
  readonly name: string;
  /** Dumps the database, or one of its tables if the tool dumps one at a time. */
  readonly dump: (url: string, tables: readonly string[]) => Buffer;
  /** SQL that removes the values that the tool itself loses. */
  readonly without?: string;
}

const dumps: Readonly<Record<string, readonly Dump[]>> = {
  sqlite: [
    {
      name: 'sqlite3 .dump',
      dump: (url) => run('sqlite3', [url, '.dump']),
      // The shell ends texts at a NUL character, and loses the sign of negative zero.
      without: `UPDATE "any class" SET t = 'ab' WHERE id = 5; UPDATE "any class" SET r = 0 WHERE id = 3`,
    },
  ],
  mysql: [
    {
      name: 'mariadb-dump',
      dump: (url) => mariadbDump(url, []),
      // The tool dumps geometry in the server's binary format.
      without: 'UPDATE kinds SET g = NULL',
    },
    {
      name: 'mariadb-dump of hex',
      dump: (url) => mariadbDump(url, ['--hex-blob', '--complete-insert']),
    },
    {
      name: 'mariadb-dump of rows',
      dump: (url) => mariadbDump(url, ['--no-create-info', '--skip-extended-insert', '--compact']),
    },
  ],
  postgres: [
    {
      name: 'COPY',
      dump: (url, tables) =>
        Buffer.concat(
          tables.filter((table) => table !== 'Other.made').map((table) => copyOf(url, table)),
        ),
      // Money is formatted by locale. The table of another schema is left out here.
      without: 'DELETE FROM "Other".made; UPDATE kinds SET mo = NULL',
    },
  ],
};

function run(command: string, args: readonly string[]): Buffer {
  return execFileSync(command, args, { stdio: 'pipe', maxBuffer: 2 ** 28 });
}

function mariadbDump(url: string, options: readonly string[]): Buffer {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = [`-h${hostname}`, `-P${port}`, `-u${username}`, `--password=${password}`];
  return run('mariadb-dump', ['--protocol=tcp', ...login, ...options, pathname.slice(1)]);
}

/** The format of pg_dump, which does not support servers newer than itself. */
function copyOf(url: string, table: string): Buffer {
  const rows = run('psql', ['-q', '-c', `COPY public."${table}" TO stdout`, url]);
  return Buffer.concat([
    Buffer.from(`COPY public."${table}" FROM stdin;\n`),
    rows,
    Buffer.from('\\.\n\n\n'),
  ]);
}

describeOnEachDatabase('import of dumps', (harness) => {
  const native = (): NativeRows => nativeRows[harness.underTest.name]!;
  const tools = (): readonly Dump[] => dumps[harness.underTest.name] ?? [];

  harness.beforeTests(async () => {
    await harness.database.run(native().structure);
    await harness.database.run(native().rows);
    for (const { without } of tools())
      if (without !== undefined) await harness.database.run(without);
  });

  test('restores every row', async (context) => {
    if (tools().length === 0) context.skip('no tool writes its rows as SQL');
    for (const tool of tools()) {
      const dump = dumpOrSkipTest(tool, harness.database.url, native().tables);
      if (typeof dump === 'string') return context.skip(dump);
      const copy = await harness.underTest.makeDatabase();
      try {
        await copy.run(native().structure);
        await importFile(copy.url, ['dump.sql', dump], { ddl: 'skip' });
        const expected = (await exportAll(harness.database.url)).text;
        expect((await exportAll(copy.url)).text, tool.name).toBe(expected);
      } finally {
        await copy.drop();
      }
    }
  });
});

function dumpOrSkipTest(tool: Dump, url: string, tables: readonly string[]): Buffer | string {
  try {
    return tool.dump(url, tables);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return `no ${tool.name}`;
    throw error;
  }
}
