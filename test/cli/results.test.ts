/** Results and errors of commands, as people and scripts see them. */
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { commandNames, parametersOf } from '../../src/cli/commands.ts';
import { inFlagWords } from '../../src/cli/flag-words.ts';
import { helpText } from '../../src/cli/help.ts';
import { importText } from '../../src/cli/import-text.ts';
import { schemaText } from '../../src/cli/schema-text.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { pageText } from '../../src/cli/table-text.ts';
import { makeFolder, run, start } from './command.ts';

function makeDatabase(): string {
  const path = join(makeFolder(), 'shop.db');
  const database = new Sqlite(path);
  database.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, role TEXT);
    INSERT INTO users VALUES (1, 'Ada', 'admin'), (2, 'Grace', 'author'), (3, 'Barbara', 'admin');
    CREATE VIEW admins AS SELECT name FROM users WHERE role = 'admin'`);
  database.close();
  return path;
}

describe('the schema', () => {
  test('is printed with columns, keys, indexes and checks', async () => {
    const path = join(makeFolder(), 'shop.db');
    const database = new Sqlite(path);
    database.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x');
      CREATE TABLE "odd\ttable" (a INT, b INT REFERENCES users (id) ON DELETE CASCADE,
        PRIMARY KEY (b, a), CONSTRAINT positive CHECK (a > 0));
      CREATE UNIQUE INDEX names ON users (name) WHERE name <> '';
      CREATE VIEW admins AS SELECT name FROM users`);
    database.close();
    const { stdout } = await run(['schema', path]);
    expect(schemaText(stdout)).toBe(String.raw`odd\ttable (table, 0 rows)
column | type | null | default
-------+------+------+--------
a      | INT  | yes  |
b      | INT  | yes  |
primary key: b, a
foreign key: b references users (id) on delete cascade
check: positive (a > 0)

users (table, 0 rows)
column | type    | null | default
-------+---------+------+--------
id     | INTEGER | no   |
name   | TEXT    | no   | 'x'
primary key: id
unique index: names (name) where name <> ''

admins (view)
column | type | null | default
-------+------+------+--------
name   | TEXT | yes  |
`);
  });

  test('of an empty database is one sentence', async () => {
    const path = join(makeFolder(), 'empty.db');
    new Sqlite(path).exec('VACUUM').close();
    expect(schemaText((await run(['schema', path])).stdout)).toBe('There are no tables.\n');
  });
});

describe('tables and rows', () => {
  test('print JSON for scripts', async () => {
    const path = makeDatabase();
    const tables = await run(['tables', path]);
    expect(JSON.parse(tables.stdout)).toEqual([
      { name: 'users', kind: 'table', row_count: 3 },
      { name: 'admins', kind: 'view', row_count: 2 },
    ]);
    const flags = ['--filter', 'role=admin', '--filter', 'id__gt=1', '--sort-by', 'name'];
    const rows = await run(['rows', path, 'users', ...flags]);
    expect(JSON.parse(rows.stdout)).toMatchObject({
      data: [{ id: 3, name: 'Barbara', role: 'admin' }],
      total: 1,
    });
    const file = await run(['export', 'table', path, 'users', '--format', 'csv', ...flags]);
    expect(file.stdout).toBe('id,name,role\n3,Barbara,admin\n');
  });

  test('reject an invalid filter, and a filter of an unknown column', async () => {
    const path = makeDatabase();
    expect(await run(['rows', path, 'users', '--filter', 'role'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--filter takes a filter such as role=admin'),
    });
    expect(await run(['rows', path, 'users', '--filter', 'rolle=admin'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('rolle'),
    });
  });

  test('print tables on a terminal', () => {
    const json = '{"data":[{"id":1,"name":"Ada"},{"id":12345678901234567,"name":null}],"total":7}';
    expect(pageText(json)).toBe(
      'id                | name\n------------------+-----\n1                 | Ada\n12345678901234567 | NULL\n2 rows of 7\n',
    );
    expect(pageText('{"data":[],"total":0}')).toBe('0 rows of 0\n');
  });
});

describe('imports', () => {
  test('print sentences on a terminal', () => {
    const counts = { rows_imported: 3, rows_updated: 1, rows_skipped: 1 };
    const errors = [
      { message: '"x" is no number.', table: 'users', row: 4, line: 5, column: 'id' },
    ];
    const response = {
      tables_created: ['users'],
      tables: { users: counts },
      errors,
      warnings: ['Cut.'],
    };
    expect(importText(response)).toBe(
      'Created 1 table: users\nusers: 3 rows imported, 1 updated, 1 skipped\n' +
        'Error: table users, row 4, line 5, column id: "x" is no number.\nWarning: Cut.\n',
    );
    expect(importText({ dry_run: true, warnings: [] })).toBe('Dry run: nothing was changed.\n');
    expect(importText({ dry_run: true, tables_created: ['t'], warnings: [] })).toBe(
      'Dry run: nothing was changed. The import would have this result:\nCreated 1 table: t\n',
    );
  });

  test('name flags in their errors, not parameters', async () => {
    const path = makeDatabase();
    const file = join(makeFolder(), 'people.csv');
    writeFileSync(file, 'id,name\n7,Alan\n');
    const { stderr } = await run(['import', 'data', path, file]);
    expect(stderr).toContain('--table');
    expect(stderr).not.toContain('parameter');
  });
});

describe('rejected rows', () => {
  test('are written to a file that can be corrected and imported', async () => {
    const path = makeDatabase();
    const folder = makeFolder();
    const [file, rejected] = [join(folder, 'users.csv'), join(folder, 'rejected.csv')];
    writeFileSync(file, 'id,name\n4,Zoë\n1,"Ad\n""a"""\n');
    const command = ['import', 'data', path, file, '--table', 'users', '--rejected', rejected];
    expect(await run(command)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--rejected needs --on-error skip.'),
    });
    const skipped = await run([...command, '--on-error', 'skip']);
    expect(skipped).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('1 rejected row is in'),
    });
    expect(JSON.parse(skipped.stdout)).toMatchObject({ rejected_rows: 1 });
    const text = readFileSync(rejected, 'utf8');
    expect(text).toMatch(/^\ufeffimport_error,id,name\n"Line 3: id: .*",1,"Ad\n""a"""\n$/);
    writeFileSync(rejected, text.replace(',1,', ',5,'));
    const again = await run(['import', 'data', path, rejected, '--table', 'users']);
    expect(JSON.parse(again.stdout)).toMatchObject({ rows_imported: 1 });
    expect(readdirSync(folder).toSorted()).toEqual(['rejected.csv', 'users.csv']);
  });

  test('are none if no row is rejected', async () => {
    const folder = makeFolder();
    const [file, rejected] = [join(folder, 'users.csv'), join(folder, 'rejected.csv')];
    writeFileSync(file, 'id,name\n4,x\n');
    const flags = ['--table', 'users', '--on-error', 'skip', '--rejected', rejected];
    expect((await run(['import', 'data', makeDatabase(), file, ...flags])).status).toBe(0);
    expect(readdirSync(folder)).toEqual(['users.csv']);
  });
});

describe('help', () => {
  test.each(commandNames)('of %s has no name of a parameter of the API', (command) => {
    const names = Object.keys(parametersOf(command)).map((flag) => flag.replaceAll('-', '_'));
    const text = helpText(command);
    for (const name of names.filter((each) => each.includes('_')))
      expect(text, name).not.toMatch(new RegExp(`\\b${name}\\b`));
    expect(text).toContain('Example:\n  database-studio ');
  });

  test('does not replace words that only look like parameters', () => {
    expect(inFlagWords('The table "on_conflicts" has no column "table".', 'import data')).toBe(
      'The table "on_conflicts" has no column "table".',
    );
    expect(inFlagWords('Set `table` or on_conflict=update.', 'import data')).toBe(
      'Set --table or --on-conflict=update.',
    );
    expect(
      inFlagWords('It is text. Set decimal to import it; set header to absent.', 'import data'),
    ).toBe('It is text. Set --decimal to import it; set --header to absent.');
    expect(inFlagWords('Reset table.', 'import data')).toBe('Reset table.');
  });
});

describe('a command that creates the database file', () => {
  test.each([
    ['import schema', 'CREATE TABLE t (a INT);\nINSERT INTO t VALUES (1);'],
    ['import data', 'INSERT INTO missing VALUES (1);'],
    ['import dump', 'CREATE TABLE t (a INT'],
  ])('leaves no empty file if it fails (%s)', async (command, text) => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'x.sql'), text);
    const line = [...command.split(' '), join(folder, 'new.db'), join(folder, 'x.sql'), '--create'];
    expect((await run(line)).status).toBe(1);
    expect(readdirSync(folder)).toEqual(['x.sql']);
    expect((await run([...line, '--dry-run'])).status).toBe(1);
    expect(readdirSync(folder)).toEqual(['x.sql']);
  });

  test('leaves a file that was there, and a database that it has made', async () => {
    const folder = makeFolder();
    const [script, path] = [join(folder, 'x.sql'), join(folder, 'new.db')];
    writeFileSync(script, 'INSERT INTO missing VALUES (1);');
    writeFileSync(path, '');
    expect((await run(['import', 'data', path, script, '--create'])).status).toBe(1);
    expect(readdirSync(folder)).toEqual(['new.db', 'x.sql']);
    writeFileSync(script, 'CREATE TABLE t (a INT);');
    const made = join(folder, 'made.db');
    expect((await run(['import', 'schema', made, script, '--create'])).status).toBe(0);
    expect((await run(['import', 'schema', made, script, '--create'])).status).toBe(1);
    expect(existsSync(made)).toBe(true);
  });
});

describe('the file of an export', () => {
  test.each([
    ['export table', 'users.CSV', 'csv'],
    ['export table', 'users.jsonl', 'ndjson'],
    ['export table', 'a.csv/users.xlsx', 'xlsx'],
    ['export table', 'users', 'json'],
    ['export data', 'all.zip', 'csv'],
    ['export data', 'all.sql', 'sql'],
    ['export table', 'users.parquet', 'parquet'],
    ['export schema', 'shop.yml', 'yaml'],
    ['export schema', 'shop.mmd', 'mermaid'],
    ['export schema', 'shop.png', 'png'],
    ['export schema', 'shop', 'json'],
  ])('%s --out %s is of the format %s', (command, out, format) => {
    const operands = command === 'export table' ? ['users'] : [];
    const line = [...command.split(' '), 'a.db', ...operands, '--out', out];
    expect(parseCommandLine(line, {})).toMatchObject({ parameters: { format } });
    expect(parseCommandLine([...line, '--format', 'sql'], {})).toMatchObject({
      parameters: { format: 'sql' },
    });
  });

  test.each(['json', 'ndjson', 'csv', 'sql'])(
    'as %s ends without an error when the reader of the pipe has read enough',
    async (format) => {
      const path = join(makeFolder(), 'many.db');
      const database = new Sqlite(path);
      database.exec(`CREATE TABLE many (id INTEGER PRIMARY KEY, text TEXT);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO many SELECT i, 'a text of row ' || i FROM n`);
      database.close();
      const command = start(['export', 'table', path, 'many', '--format', format]);
      command.child.stdout.once('data', () => command.child.stdout.destroy());
      expect(await command.outcome()).toMatchObject({ status: 0, stderr: '' });
    },
  );

  test('has the format of its extension, and an archive says what it is', async () => {
    const path = makeDatabase();
    const out = join(makeFolder(), 'users.csv');
    await run(['export', 'table', path, 'users', '--out', out]);
    expect(readFileSync(out, 'utf8')).toContain('id,name,role');
    const { stderr } = await run(['export', 'data', path, '--out', out]);
    expect(readFileSync(out).subarray(0, 2).toString()).toBe('PK');
    expect(stderr).toContain('users.csv is a zip archive with a CSV file for each table.');
    const zip = await run(['export', 'data', path, '--out', `${out}.zip`]);
    expect(zip.stderr).not.toContain('archive');
  });
});

describe('wrong usage', () => {
  test('suggests an option that the command has', async () => {
    expect((await run(['import', 'data', 'a.db', 'b.csv', '--tabel', 't'])).stderr).toContain(
      'Did you mean "--table"?',
    );
    expect((await run(['export', 'schema', 'a.db', '--tabels', 't'])).stderr).toContain(
      'Did you mean "--tables"?',
    );
  });

  test('of --out is an error in one sentence, and leaves no file', async () => {
    const folder = makeFolder();
    const path = makeDatabase();
    for (const command of [
      ['export', 'data'],
      ['export', 'schema'],
      ['export', 'models'],
    ]) {
      const out = join(folder, 'missing', 'x.json');
      const { status, stderr } = await run([...command, path, '--out', out]);
      expect(stderr).toBe(
        `database-studio: --out: ${out} cannot be written: its folder does not exist.\n`,
      );
      expect(status).toBe(1);
    }
    expect(existsSync(join(folder, 'missing'))).toBe(false);
    const wrong = await run(['export', 'table', path, 'nothing', '--out', join(folder, 'y.csv')]);
    expect(wrong.status).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('of --out and --rejected names a folder', async () => {
    const folder = makeFolder();
    const path = makeDatabase();
    const reason = `${folder} cannot be written: it is a folder. Name a file in it.\n`;
    expect((await run(['export', 'dump', path, '--out', folder])).stderr).toBe(
      `database-studio: --out: ${reason}`,
    );
    const rejecting = ['--on-error', 'skip', '--rejected', folder];
    expect((await run(['import', 'data', path, 'x.csv', ...rejecting])).stderr).toBe(
      `database-studio: --rejected: ${reason}`,
    );
  });
});

describe('--out', () => {
  test('writes into a pipe, which remains a pipe', async () => {
    const pipe = join(makeFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = promisify(execFile)('cat', [pipe]);
    const path = makeDatabase();
    const { stdout } = await run(['export', 'dump', path]);
    await run(['export', 'dump', path, '--out', pipe]);
    expect((await reader).stdout).toBe(stdout);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test('replaces the file to which a link leads, and keeps its permissions', async () => {
    const folder = makeFolder();
    const [file, link] = [join(folder, 'file.sql'), join(folder, 'link.sql')];
    writeFileSync(file, 'old', { mode: 0o600 });
    symlinkSync('file.sql', link);
    await run(['export', 'dump', makeDatabase(), '--out', link]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('CREATE TABLE');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test('no progress is shown on a terminal that shows the file', async () => {
  const setUp = 'process.stdout.isTTY = process.stderr.isTTY = true';
  const env = { NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(setUp)}"` };
  const path = makeDatabase();
  const shown = await run(['export', 'dump', path], { env });
  expect(shown.stderr).toBe('');
  const saved = await run(['export', 'dump', path, '--out', join(makeFolder(), 'x.sql')], { env });
  expect(saved.stderr).toContain('\r');
});
