/** Scripts with LOAD DATA and the files that they name in one archive. The server itself loads the same files. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { importDumpArchive, importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';
import type { FileToPack } from '../../formats/write-zip.ts';

// Skips the tests if there is no server.
useMariadb();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

function runNatively(url: string, script: string): void {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = [`-h${hostname}`, `-P${port}`, `-u${username}`, `--password=${password}`];
  const args = ['--protocol=tcp', '--local-infile=1', ...login, pathname.slice(1)];
  execFileSync('mariadb', args, { input: script, stdio: 'pipe' });
}

/** The server drops fields after those of the columns, and ends unclosed quotes at the end of the file. */
function isStricterThanServer(error: unknown): boolean {
  const [, values = 0, columns = 0] =
    /has (\d+) values for (\d+) columns/.exec(String(error)) ?? [];
  return String(error).includes('a quote is not closed') || Number(values) > Number(columns);
}

const rowsQuery = 'SELECT a, HEX(b) AS b, HEX(c) AS c FROM t ORDER BY a, b, c';

interface Script {
  /** With the path of the file as `<path>`. */
  readonly text: string;
  readonly content: Buffer;
}

/** The rows that the server and the import create; `rejected` if one of them fails. */
async function rowsOfBoth({ text, content }: Script): Promise<readonly [unknown, unknown]> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-data-files-'));
  const results: unknown[] = [];
  try {
    chmodSync(folder, 0o755);
    const path = join(folder, 'rows.txt');
    writeFileSync(path, content);
    const script = text.replace('<path>', path);
    const files: readonly FileToPack[] = [
      { name: 'load.sql', content: script },
      { name: 'rows.txt', content },
    ];
    const runs = [
      async ({ url }: TestDatabase) => runNatively(url, script),
      async ({ url }: TestDatabase) => void (await importDumpArchive(url, files)),
    ];
    for (const run of runs)
      await onNew(async (database) => {
        const isRun = await run(database).then(
          () => true,
          (error: unknown) => (isStricterThanServer(error) ? undefined : false),
        );
        if (isRun === undefined) results[0] = 'rejected';
        results.push(isRun === true ? await database.query(rowsQuery) : 'rejected');
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return [results[0], results[1]];
}

const format = fc.record({
  delimiter: fc.constantFrom(undefined, ',', '||', '\t'),
  quote: fc.constantFrom(undefined, '"', "'"),
  isOptional: fc.boolean(),
  escape: fc.constantFrom(undefined, '', '"', '!'),
  lineEnd: fc.constantFrom(undefined, '\r\n', ';\n', '$'),
  lineStart: fc.constantFrom(undefined, '', '>>'),
  skipped: fc.constantFrom(0, 0, 1),
  charset: fc.constantFrom('utf8mb4', 'latin1'),
  targets: fc.constantFrom('(a, b, c)', '(b, @x, a)', ''),
});

type Format = typeof format extends fc.Arbitrary<infer T> ? T : never;

const part = fc.constantFrom('a', 'é', ' ', "'", '"', '""', '\\', '\\n', '\\N', 'NULL', '\\0', '\\Z', '!', '!N', '!t', '\n', '>', '|', ',', '12'); // prettier-ignore
const field = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
const row = fc.tuple(fc.constantFrom('1', '2', '30'), fc.oneof(field, fc.constantFrom('"a"', "'b'", 'NULL', '\\N', '"NULL"', '"\\N"')), field); // prettier-ignore

function text(value: string): string {
  const escaped = value.replaceAll(/['\\]/g, String.raw`\$&`);
  return `'${escaped.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`;
}

function statementOf({
  delimiter,
  quote,
  isOptional,
  escape,
  lineEnd,
  lineStart,
  skipped,
  charset,
  targets,
}: Format): string {
  // prettier-ignore
  const fields = [
    ...(delimiter === undefined ? [] : [`TERMINATED BY ${text(delimiter)}`]),
    ...(quote === undefined ? [] : [`${isOptional ? 'OPTIONALLY ' : ''}ENCLOSED BY ${text(quote)}`]), // prettier-ignore
    ...(escape === undefined ? [] : [`ESCAPED BY ${text(escape)}`]),
  ];
  const lines = [
    ...(lineStart === undefined ? [] : [`STARTING BY ${text(lineStart)}`]),
    ...(lineEnd === undefined ? [] : [`TERMINATED BY ${text(lineEnd)}`]),
  ];
  return [
    `LOAD DATA INFILE '<path>' INTO TABLE t CHARACTER SET ${charset}`,
    ...(fields.length === 0 ? [] : ['FIELDS', ...fields]),
    ...(lines.length === 0 ? [] : ['LINES', ...lines]),
    ...(skipped === 0 ? [] : [`IGNORE ${skipped} LINES`]),
    `${targets};`,
  ].join(' ');
}

test('rows of files are those that the server loads', async () => {
  let imported = 0;
  await fc.assert(
    fc.asyncProperty(
      format,
      fc.array(row, { maxLength: 4 }),
      fc.boolean(),
      async (each, rows, isEnded) => {
        // prettier-ignore
        const { delimiter = '\t', lineEnd = '\n', lineStart = '', quote = '', charset } = each;
        const quoted = rows.map((fields) => fields.map((value, i) => (i === 1 && quote !== '' ? `${quote}${value}${quote}` : value))); // prettier-ignore
        const ordered =
          each.targets === '(b, @x, a)' ? quoted.map(([a, b, c]) => [b, c, a]) : quoted;
        const lines = ordered.map((fields) => `${lineStart === '' ? '' : `x${lineStart}`}${fields.join(delimiter)}`); // prettier-ignore
        const content = lines.join(lineEnd) + (isEnded ? lineEnd : '');
        const [expected, found] = await rowsOfBoth({
          text: `CREATE TABLE t (a int, b text CHARACTER SET utf8mb4, c varchar(99) CHARACTER SET utf8mb4);\n${statementOf(each)}\n`,
          content: Buffer.from(content, charset === 'latin1' ? 'latin1' : 'utf8'),
        });
        if (found !== 'rejected') imported++;
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 80 },
  );
  expect(imported).toBeGreaterThan(10);
}, 240_000);

test('SOURCE runs other scripts of the archive', async () => {
  await onNew(async ({ url, query }) => {
    await importDumpArchive(url, [
      { name: 'employees/load_a.dump', content: "INSERT INTO `t` VALUES (1,'a;'),\n(2,'b');\n" },
      { name: 'employees/employees.sql', content: "CREATE TABLE t (a int, b text);\nSELECT 'LOADING' as 'INFO';\nsource load_a.dump ;\nsource more.sql\n" }, // prettier-ignore
      { name: 'employees/more.sql', content: "INSERT INTO t VALUES (3,'c');" },
    ]);
    expect(await query('SELECT a, b FROM t ORDER BY a')).toEqual([
      { a: 1, b: 'a;' },
      { a: 2, b: 'b' },
      { a: 3, b: 'c' },
    ]);
  });
});

test.each([
  [
    "LOAD DATA LOCAL INFILE 'x' INTO TABLE t (a, @b) SET b = @b;",
    'LOAD DATA is imported without SET',
  ],
  [
    "LOAD DATA INFILE 'x' INTO TABLE t CHARACTER SET sjis;",
    'the encoding "sjis" of a file is not supported',
  ],
  [
    "LOAD DATA INFILE 'x' INTO TABLE t FIELDS TERMINATED BY '';",
    'without delimiters between fields',
  ],
  ["LOAD DATA INFILE 'y' INTO TABLE t;", 'the file "y" is not in the archive'],
  ["LOAD XML INFILE 'x' INTO TABLE t;", 'only LOAD DATA is supported'],
])('rejects %s', async (statement, message) => {
  // prettier-ignore
  await onNew(async ({ url, query }) => {
    const script = `CREATE TABLE t (a int, b int);\n${statement}\n`;
    const files = [
      { name: 'load.sql', content: script },
      { name: 'x', content: '1\t2\n' },
    ];
    await expect(importDumpArchive(url, files)).rejects.toThrow(message);
    expect(await query('SHOW TABLES')).toEqual([]);
  });
});

test('a script alone says that an archive works', async () => {
  await onNew(async ({ url }) => {
    const script = "CREATE TABLE t (a int);\nLOAD DATA LOCAL INFILE 'x.csv' INTO TABLE t;\n";
    await expect(importDumpFile(url, script)).rejects.toThrow(
      'line 2: the script reads the file "x.csv", which is not part of the upload',
    );
  });
});
