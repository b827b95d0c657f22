/** Scripts with the files that they name in one archive. psql itself runs the same script. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { importDumpArchive, importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { postgresUnderTest } from '../kit/databases-under-test/postgres.ts';
import type { TestDatabase } from '../../servers/postgres.ts';
import type { FileToPack } from '../../formats/write-zip.ts';

// Skips the tests if there is no server.
usePostgres();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

/** Runs the first of the files in a folder of all. */
function runWithPsql(url: string, files: readonly FileToPack[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'studio-data-files-'));
  try {
    for (const { name, content } of files) writeFileSync(join(folder, name), content);
    const [command, ...args] = postgresUnderTest.client(url);
    const options = { cwd: folder, stdio: 'pipe' } as const;
    execFileSync(command, [...args, '-v', 'ON_ERROR_STOP=1', '-f', files[0]!.name], options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const rowsQuery = `SELECT a, encode(convert_to(b, 'UTF8'), 'hex') AS b, encode(c, 'hex') AS c FROM t ORDER BY a, b, c`;

/** The rows that psql and the import create from the files; `rejected` if they do not run. */
async function rowsOfBoth(files: readonly FileToPack[]): Promise<readonly [unknown, unknown]> {
  const results: unknown[] = [];
  const runs = [
    async ({ url }: TestDatabase) => runWithPsql(url, files),
    async ({ url }: TestDatabase) => void (await importDumpArchive(url, files)),
  ];
  for (const run of runs)
    await onNew(async (database) => {
      const isRun = await run(database).then(
        () => true,
        () => false,
      );
      results.push(isRun ? await database.query(rowsQuery) : 'rejected');
    });
  return [results[0], results[1]];
}

const format = fc.record({
  isCsv: fc.boolean(),
  delimiter: fc.constantFrom('', ';', '|', '\t'),
  nullText: fc.constantFrom(undefined, 'NULL', ''),
  quote: fc.constantFrom(undefined, "'"),
  escape: fc.constantFrom(undefined, '\\'),
  hasHeader: fc.boolean(),
  encoding: fc.constantFrom(undefined, 'UTF8', 'latin1', 'WIN1252'),
  statement: fc.constantFrom('\\copy', '\\copy old'),
});

const parts = fc.constantFrom(
  'a',
  'é',
  '€',
  ' ',
  "'",
  '"',
  '""',
  '\\\\',
  '\\n',
  '\\t',
  '\\N',
  'NULL',
  '\\x41',
  '\\101',
  '\\\n',
  '\\\r',
  '\r',
  '12',
  '""""',
  "''", // prettier-ignore
);
const field = fc.oneof(
  fc.array(parts, { maxLength: 4 }).map((each) => each.join('')),
  fc.array(parts, { maxLength: 3 }).map((each) => `"${each.join('')}"`),
);
const row = fc.tuple(fc.constantFrom('1', '2', '3', ' 4', '"5"'), field, fc.constantFrom('', '\\N', '\\x0aff', '\\\\x0aff', 'ab')); // prettier-ignore

function statementOf({
  isCsv,
  delimiter,
  nullText,
  quote,
  escape,
  hasHeader,
  encoding,
  statement,
}: FormatOf): string {
  // prettier-ignore
  const text = (value: string): string => `E'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  if (statement === '\\copy old')
    return [
      `\\copy t from './data/../rows.csv'`,
      ...(delimiter === '' ? [] : [`DELIMITER ${text(delimiter)}`]),
      ...(nullText === undefined ? [] : [`NULL ${text(nullText)}`]),
      ...(isCsv ? ['CSV'] : []),
      ...(isCsv && quote !== undefined ? [`QUOTE ${text(quote)}`] : []),
      ...(encoding === undefined ? [] : [`ENCODING '${encoding}'`]),
    ].join(' ');
  const options = [
    `FORMAT ${isCsv ? 'csv' : 'text'}`,
    ...(delimiter === '' ? [] : [`DELIMITER ${text(delimiter)}`]),
    ...(nullText === undefined ? [] : [`NULL ${text(nullText)}`]),
    ...(isCsv && quote !== undefined ? [`QUOTE ${text(quote)}`] : []),
    ...(isCsv && escape !== undefined ? [`ESCAPE ${text(escape)}`] : []),
    ...(hasHeader ? ['HEADER'] : []),
    ...(encoding === undefined ? [] : [`ENCODING '${encoding}'`]),
  ];
  return `\\copy t (a, b, c) from rows.csv with (${options.join(', ')});`;
}

type FormatOf = typeof format extends fc.Arbitrary<infer T> ? T : never;

test('rows of files are those that psql copies', async () => {
  let imported = 0;
  await fc.assert(
    fc.asyncProperty(
      format,
      fc.array(row, { maxLength: 4 }),
      fc.boolean(),
      fc.constantFrom('\n', '\n', '\r\n', '\r'),
      async (each, rows, isEnded, lineEnd) => {
        // prettier-ignore
        const isOld = each.statement === '\\copy old';
        const delimiter = each.delimiter === '' ? (each.isCsv ? ',' : '\t') : each.delimiter;
        const lines = rows.map((fields) => fields.join(delimiter));
        const header = each.hasHeader && !isOld ? ['a"'.repeat(2)] : [];
        const content = [...header, ...lines].join(lineEnd) + (isEnded ? lineEnd : '');
        const script = `CREATE TABLE t (a int, b text, c bytea);\n${statementOf(each)}\n`;
        const bytes = each.encoding === 'latin1' ? Buffer.from(content.replaceAll('€', '\u0080'), 'latin1') : Buffer.from(content); // prettier-ignore
        const [expected, found] = await rowsOfBoth([
          { name: 'load.sql', content: script },
          { name: 'rows.csv', content: bytes },
        ]);
        if (found !== 'rejected') imported++;
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
  expect(imported).toBeGreaterThan(10);
}, 240_000);

test.each([
  ['id,n\r1,a\r2,b\r', 'HEADER', 2],
  ['1,a\r2,"b\nc"\r3,c', '', 3],
  ['1,a\r2,b\r\n', '', undefined],
  ['1,a\r2,b\n', '', undefined],
  ['1,a\n2,b\r', '', undefined],
  ['1,a\r\n2,b\r', '', undefined],
  ['1,a\r', '', 1],
])('reads the line ends of %j as psql does', async (content, header, count) => {
  const script = `CREATE TABLE t (a int, b text, c bytea);\n\\copy t (a, b) from rows.csv CSV ${header}\n`;
  const [expected, found] = await rowsOfBoth([
    { name: 'load.sql', content: script },
    { name: 'rows.csv', content },
  ]);
  expect(found).toEqual(expected);
  if (count === undefined) expect(expected).toBe('rejected');
  else expect(expected).toHaveLength(count);
});

test('names the line of a wrong value between carriage returns', async () => {
  await onNew(async ({ url }) => {
    const files = [
      { name: 'main.sql', content: "CREATE TABLE t (a int);\nCOPY t FROM 'x.csv' (HEADER);\n" },
      { name: 'x.csv', content: 'a\r1\rx\r' },
    ];
    await expect(importDumpArchive(url, files)).rejects.toMatchObject({
      details: { errors: [{ source: 'x.csv', line: 3, row: 2, column: 'a', value: 'x' }] },
    });
  });
});

test('other scripts of the archive run in place', async () => {
  const [expected, found] = await rowsOfBoth([
    { name: 'main.sql', content: 'CREATE TABLE t (a int, b text, c bytea);\n\\i rows.sql\n\\ir more.sql\n' },
    { name: 'rows.sql', content: "INSERT INTO t VALUES (1, 'x', NULL),\n(2, 'y;', NULL);\n\\i last.sql" },
    { name: 'last.sql', content: "COPY t (a, b) FROM stdin;\n3\tz\n\\.\n" },
    { name: 'more.sql', content: "ALTER TABLE t ADD CHECK (a > 0);\nINSERT INTO t (a) VALUES (4);" },
  ]); // prettier-ignore
  expect(expected).toHaveLength(4);
  expect(found).toEqual(expected);
});

test('COPY finds the file of a path of another machine', async () => {
  await onNew(async ({ url, query }) => {
    const script = "CREATE TABLE t (a int);\nCOPY t FROM '/var/lib/data/B/rows.dat';\n";
    await importDumpArchive(url, [
      { name: 'shop/load.sql', content: script },
      { name: 'shop/A/rows.dat', content: '1\n' },
      { name: 'shop/B/rows.dat', content: '2\n3\n' },
    ]);
    expect(await query('SELECT a FROM t ORDER BY a')).toEqual([{ a: 2 }, { a: 3 }]);
  });
});

test.each([
  [
    { 'main.sql': '\\i sub/x.sql', 'sub/x.sql': '\\ir data.sql', 'sub/data.sql': 1, 'data.sql': 2 },
    [1],
  ],
  [
    {
      'main.sql': '\\i sub/x.sql',
      'sub/x.sql': '\\i data.sql',
      'other/data.sql': 1,
      'data.sql': 2,
    },
    [2],
  ],
  [
    {
      'top/main.sql': '\\i sub/x.sql',
      'top/sub/x.sql': '\\i a/d.sql',
      'top/b/a/d.sql': 1,
      'top/a/d.sql': 2,
    },
    [2],
  ],
  [{ 'main.sql': '\\i x.sql', 'x.sql': 1, 'sub/x.sql': 2 }, [1]],
  [{ 'main.sql': '\\i ./sub/../X.SQL', 'x.sql': 1, 'sub/y.csv': 2 }, [1]],
  [{ 'a/main.sql': '\\ir ../b/x.sql', 'b/x.sql': 1, 'a/x.sql': 2 }, [1]],
  [{ 'main.sql': "\\i 'é.sql'", 'e\u0301.sql': 1, 'sub/\u00e9.sql': 2 }, [1]],
])('finds the file that fits exactly in %j', async (files, expected) => {
  await onNew(async ({ url, query }) => {
    const contents = Object.entries(files).map(([name, content]) => ({
      name,
      content:
        typeof content === 'number' ? `INSERT INTO t VALUES (${content});\n` : `${content}\n`,
    }));
    const [main, ...others] = contents;
    const script = { ...main!, content: `CREATE TABLE t (a int);\n${main!.content}` };
    await importDumpArchive(url, [script, ...others]);
    expect(await query('SELECT a FROM t')).toEqual(expected.map((a) => ({ a })));
  });
});

test.each([
  [['COPY t FROM PROGRAM $$ls$$;'], 'FROM PROGRAM runs a program, which an import does not do'],
  [["COPY t TO '/tmp/rows.csv';"], 'COPY … TO writes rows to a file, which an import does not do'],
  [["COPY t FROM 'rows.csv';"], '"rows.csv" is not in the archive'],
  [["COPY t FROM '../../etc/passwd';"], '"../../etc/passwd" is not in the archive'],
  [["COPY t FROM 'x.csv';", 'A/x.csv', 'B/x.csv'], 'can be "A/x.csv" or "B/x.csv" of the archive'],
  [["COPY t FROM 'x.csv';", 'x.csv', 'x.csv'], '"x.csv" is in the archive twice'],
  [
    ["COPY t FROM '/d/b/x.csv';", 'a/x.csv'],
    '"/d/b/x.csv" is not in the archive; "a/x.csv" is in another folder',
  ],
  [
    ["COPY t FROM '/d/a/x.csv'; COPY t FROM '/d/b/x.csv';", 'a/x.csv'],
    '"/d/b/x.csv" is not in the archive',
  ],
  [
    ["COPY t FROM '/d/a/x.csv'; COPY t FROM '/d/b/x.csv';", 'x.csv'],
    '"/d/b/x.csv" is not in the archive; "x.csv" is already that of "/d/a/x.csv"',
  ],
  [["COPY t FROM 'x.csv' (FORMAT binary);", 'x.csv'], 'COPY is supported with the options'],
  [
    ["COPY t FROM 'x.csv' (ENCODING 'SJIS');", 'x.csv'],
    'the encoding "SJIS" of a file is not supported',
  ],
  [["COPY t FROM 'x.csv' (FORMAT csv, HEADER MATCH);", 'x.csv'], 'HEADER MATCH compares the names'],
  [['\\i main.sql', 'b.sql'], 'several scripts'],
])('rejects %j', async ([script, ...others], message) => {
  // prettier-ignore
  await onNew(async ({ url, query }) => {
    const main = { name: 'main.sql', content: `CREATE TABLE t (a int);\n${script}\n` };
    const files = others.map((name) => ({ name, content: '1\n' }));
    await expect(importDumpArchive(url, [main, ...files])).rejects.toThrow(message);
    expect(await query("SELECT 1 FROM pg_class WHERE relname = 't'")).toEqual([]);
  });
});

test('small scripts that run each other again and again come to an end', async () => {
  const scripts = Array.from({ length: 9 }, (_, i) => ({
    name: `b${i}.sql`,
    content: i === 8 ? '' : `\\i b${i + 1}.sql\n`.repeat(9),
  }));
  await onNew(async ({ url }) => {
    await expect(importDumpArchive(url, scripts)).rejects.toThrow(
      'run others more than 1000 times',
    );
  });
});

test('names the file and the line of a wrong value', async () => {
  await onNew(async ({ url }) => {
    const script = "CREATE TABLE t (a int, b text);\nCOPY t FROM 'x.csv' (FORMAT csv);\n";
    const files = [
      { name: 'main.sql', content: script },
      { name: 'x.csv', content: '1,"a\nb"\nx,c\n' },
    ];
    await expect(importDumpArchive(url, files)).rejects.toMatchObject({
      details: { errors: [{ source: 'x.csv', line: 3, row: 2, column: 'a', value: 'x' }] },
    });
  });
});

test('a script alone says that an archive works', async () => {
  await onNew(async ({ url }) => {
    const script = "CREATE TABLE t (a int);\n\\copy t from './x.csv' CSV\n";
    await expect(importDumpFile(url, script)).rejects.toThrow(
      'line 2: the script reads the file "./x.csv", which is not part of the upload: import a .zip file of the folder',
    );
  });
});
