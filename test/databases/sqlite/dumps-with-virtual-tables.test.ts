/** Dumps of the sqlite3 shell and of the studio with virtual tables come back as they were. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dumpOf } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { makeFile, openRaw } from './fixture.ts';

type Raw = ReturnType<typeof openRaw>;

/** As `.dump` of the sqlite3 shell. */
function shellDump(raw: Raw): string {
  const objects = raw
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type <> 'table', rowid`,
    )
    .raw()
    .all() as [string, string, string][];
  const statements = objects.flatMap(([type, name, sql]) => {
    if (sql.startsWith('CREATE VIRTUAL'))
      return [
        `INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','${name}','${name}',0,'${sql.replaceAll("'", "''")}')`,
      ];
    if (type !== 'table') return [sql];
    const columns = raw.prepare(`SELECT name FROM pragma_table_info('${name}')`).pluck().all();
    const values = columns.map((column) => `quote("${String(column)}")`).join(` || ',' || `);
    const rows = raw.prepare(`SELECT ${values} FROM "${name}"`).pluck().all();
    return [
      sql.replace(/^CREATE TABLE (?=['"])/, 'CREATE TABLE IF NOT EXISTS '),
      ...rows.map((row) => `INSERT INTO ${name} VALUES(${String(row)})`),
    ];
  });
  const lines = ['PRAGMA foreign_keys=OFF', 'BEGIN TRANSACTION', 'PRAGMA writable_schema=ON', ...statements, 'PRAGMA writable_schema=OFF', 'COMMIT']; // prettier-ignore
  return lines.map((line) => `${line};\n`).join('');
}

const text = fc.constantFrom('one', `it's two`, 'größe drei', '', 'one three\nfour');
const tables = fc.record({
  rows: fc.array(fc.tuple(text, text), { maxLength: 8 }),
  options: fc.constantFrom('', ', tokenize=porter', ', prefix="2,3"'),
  module: fc.constantFrom('fts4', 'fts5'),
  ofShell: fc.boolean(),
});

test('full-text tables of dumps find what they found', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async ({ rows, options, module, ofShell }) => {
      const path = makeFile(`CREATE TABLE docs_notes (id INTEGER PRIMARY KEY, body TEXT);
        CREATE VIRTUAL TABLE docs USING ${module}(title, body${options});
        CREATE VIRTUAL TABLE of_notes USING ${module}(body, content="docs_notes"${module === 'fts5' ? ', content_rowid="id"' : ''});`);
      const raw = openRaw(path);
      for (const [i, row] of rows.entries()) {
        raw.prepare('INSERT INTO docs VALUES (?, ?)').run(...row);
        raw.prepare('INSERT INTO docs_notes VALUES (?, ?)').run(10 * i, row[1]);
      }
      raw.exec(`INSERT INTO of_notes (of_notes) VALUES ('rebuild')`);
      raw.unsafeMode();
      const script = ofShell ? shellDump(raw) : (await dumpOf(path)).text;
      const copyPath = makeFile('');
      const { warnings } = await importDumpFile(copyPath, script, { dialect: 'sqlite' });
      expect(warnings).toEqual([]);
      const copy = openRaw(copyPath);
      for (const word of ['one', 'two', 'drei', 'four'])
        for (const table of ['docs', 'of_notes']) {
          const query = `SELECT rowid, * FROM ${table} WHERE ${table} MATCH '${word}' ORDER BY 1`;
          expect(copy.prepare(query).all()).toEqual(raw.prepare(query).all());
        }
      copy.exec(`INSERT INTO docs (docs) VALUES ('integrity-check')`);
    }),
    { numRuns: 15 },
  );
});

test('rows of an R-tree are those of the dump of the studio', async () => {
  const path = makeFile(
    `CREATE VIRTUAL TABLE places USING rtree(id, low, high); INSERT INTO places VALUES (7, 1, 2)`,
  );
  const copyPath = makeFile('');
  await importDumpFile(copyPath, (await dumpOf(path)).text, { dialect: 'sqlite' });
  expect(openRaw(copyPath).prepare('SELECT * FROM places').all()).toEqual([
    { id: 7, low: 1, high: 2 },
  ]);
});

test('new numbers of rows, and tables without content, are named', async () => {
  const path =
    makeFile(`CREATE VIRTUAL TABLE docs USING fts5(body); INSERT INTO docs (rowid, body) VALUES (3, 'a');
    CREATE VIRTUAL TABLE marks USING fts5(body, content='')`);
  const raw = openRaw(path);
  raw.unsafeMode();
  const { warnings } = await importDumpFile(makeFile(''), shellDump(raw), { dialect: 'sqlite' });
  expect(warnings).toEqual([
    'The rows of the virtual table docs get new numbers (rowid), because they have gaps.',
    expect.stringMatching(
      /^Line \d+: the virtual table marks \(fts5\) is left out with its content/,
    ),
  ]);
});
