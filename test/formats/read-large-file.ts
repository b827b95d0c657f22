/**
 * Reads a file far larger than this process's heap, which is generated while it is read. Run by
 * flat-memory.test.ts.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { readCsv } from '../../src/formats/csv/read.ts';
import { readJson } from '../../src/formats/json/read.ts';
import { readNdjson } from '../../src/formats/ndjson/read.ts';
import { readSql } from '../../src/formats/sql/read.ts';
import { readXlsx } from '../../src/formats/xlsx/read.ts';
import { column, table, textColumn } from './run-reader.ts';
import type { ImportContext, RowBatches } from '../../src/formats/row-import.ts';
import type { ByteSource } from '../../src/portable/files/byte-source.ts';
import { databaseKinds } from '../databases/registered-databases.ts';

const format = process.argv[2] ?? '';
/** The number of rows. A workbook has fewer, because its XML is several times as large as its values. */
const rows = format === 'xlsx' ? 80_000 : 250_000;
const note = 'x'.repeat(200);
const users = table('users', [
  column('id', { kind: 'integer', bits: 64 }),
  textColumn('name'),
  textColumn('note'),
]);

const importContext: ImportContext = {
  mapColumns: ({ columns }) => ({
    table: users,
    columns: (columns ?? []).map((name) => users.columns.find((each) => each.name === name)),
    errors: [],
  }),
  setCounter: () => undefined,
  hasColumn: () => true,
  report: ({ message }) => {
    throw new Error(message);
  },
  warn: () => undefined,
};

interface LargeText {
  readonly start: string;
  row(i: number): string;
  readonly end: string;
}

function* chunksOfText({ start, row, end }: LargeText): Generator<Buffer> {
  yield Buffer.from(start);
  let text = '';
  for (let i = 1; i <= rows; i++) {
    text += row(i);
    if (i % 500 !== 0) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text + end);
}

function source(text: LargeText): ByteSource {
  return { name: 'much', open: () => Readable.from(chunksOfText(text)) };
}

const sqlOptions = {
  ddl: 'refuse',
  ownDialect: 'sqlite',
  choices: databaseKinds.map(({ dialect, language, dataScript }) => ({
    name: dialect.name,
    language,
    dataScript,
  })),
} as const;

const readers: Readonly<Record<string, () => RowBatches>> = {
  csv: () =>
    readCsv(
      source({ start: 'id,name,note\n', row: (i) => `${i},"Jörg ""${i}""",${note}\n`, end: '' }),
      importContext,
      { formulas: 'guarded' },
    ),
  json: () =>
    readJson(
      source({
        start: '{"users":[{"id":0}',
        row: (i) => `,{"id":${i},"name":"Jörg","note":"${note}"}`,
        end: ']}',
      }),
      importContext,
      {},
    ),
  ndjson: () =>
    readNdjson(
      source({ start: '', row: (i) => `{"id":${i},"name":"Jörg","note":"${note}"}\n`, end: '' }),
      importContext,
      { table: 'users' },
    ),
  // The whole file is one statement.
  sql: () =>
    readSql(
      source({
        start: 'INSERT INTO users (id, name, note) VALUES (0, NULL, NULL)',
        row: (i) => `,\n(${i}, 'it''s', '${note}')`,
        end: ';\n',
      }),
      importContext,
      { ...sqlOptions, dialect: 'sqlite' },
    ),
  copy: () =>
    readSql(
      source({
        start: 'COPY users (id, name, note) FROM stdin;\n',
        row: (i) => `${i}\t\\N\t${note}\n`,
        end: '\\.\n',
      }),
      importContext,
      { ...sqlOptions, dialect: 'postgres' },
    ),
  xlsx: readWorkbook,
};

async function* readWorkbook(): RowBatches {
  const folder = mkdtempSync(join(tmpdir(), 'studio-much-'));
  const path = join(folder, 'much.xlsx');
  try {
    await writeWorkbook(path);
    yield* readXlsx({ name: 'much.xlsx', path, limitBytes: 2 ** 30 }, importContext, {
      sheet: undefined,
      isTableNamed: true,
      formulas: 'guarded',
      onRead: () => undefined,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeWorkbook(path: string): Promise<void> {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const zip = new ZipFile();
  const addPart = (name: string, text: string): void => zip.addBuffer(Buffer.from(text), name);
  const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  addPart(
    '_rels/.rels',
    `<r><Relationship Id="a" Type="${type}/officeDocument" Target="w.xml"/></r>`,
  );
  addPart('w.xml', '<workbook><sheets><sheet name="S" id="a"/></sheets></workbook>');
  addPart(
    '_rels/w.xml.rels',
    `<r><Relationship Id="a" Type="${type}/worksheet" Target="s.xml"/></r>`,
  );
  const sheet: LargeText = {
    start: `<s><sheetData><row>${cell('id')}${cell('name')}${cell('note')}</row>`,
    row: (i) => `<row><c><v>${i}</v></c>${cell('Jörg')}${cell(note)}</row>`,
    end: '</sheetData></s>',
  };
  zip.addReadStream(Readable.from(chunksOfText(sheet)), 's.xml', { compress: false });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

let count = 0;
for await (const chunk of readers[format]!()) {
  count += chunk.rows.length;
  // Simulates a database that is sometimes slow.
  if (count % 50_000 < 500) await new Promise((resolve) => setTimeout(resolve, 1));
}
process.stdout.write(String(count));
