/**
 * Nearly valid texts for every parser. 12-parsers.ci.test.ts runs them briefly, scripts/fuzz.ts for
 * long.
 */
import * as fc from 'fast-check';
import { readCsv } from '../../src/formats/csv/read.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { readJson } from '../../src/formats/json/read.ts';
import { readNdjson } from '../../src/formats/ndjson/read.ts';
import { readSchemaFile } from '../../src/formats/schema-formats.ts';
import { readSql } from '../../src/formats/sql/read.ts';
import { readXml } from '../../src/portable/xlsx/read-xml.ts';
import { StudioError } from '../../src/model/errors.ts';
import { parseExactJson } from '../../src/model/values/exact-json.ts';
import { classify } from '../../src/sql/classify.ts';
import { tokenize } from '../../src/portable/lexer/lexer.ts';
import { readAll, sourceOf } from '../formats/run-reader.ts';
import { schemaContext } from '../formats/generated-schemas.ts';
import type { ImportContext, RowBatches } from '../../src/formats/row-import.ts';
import { databaseKinds } from '../databases/registered-databases.ts';

export interface FuzzedParser {
  /** Valid texts. */
  readonly seeds: readonly string[];
  /** Parts that have a meaning for the parser, such as keywords and quotes. */
  readonly fragments: readonly string[];
  /** Accepts the text or throws a StudioError. Any other error is a defect. */
  read(text: string): unknown;
}

const commonFragments = [
  '',
  ' ',
  '\n',
  '\r',
  '\t',
  '\0',
  '\ufeff',
  '\ud800',
  '\u2028',
  '😀',
  "'",
  '"',
  '`',
  '\\',
  ',',
  ';',
  ':',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '&',
  '#',
  '--',
  '/*',
  '*/',
  '//',
  '__proto__',
  'constructor',
  '0',
  '-',
  '1e999',
  '.',
  '=',
  '*',
  '%',
  '$',
  '@',
  '!',
  '|',
];

/** Seeds in which parts are deleted, replaced, repeated or inserted, and random sequences of fragments. */
export function almostValid({ seeds, fragments }: FuzzedParser): fc.Arbitrary<string> {
  const fragment = fc.constantFrom(...commonFragments, ...fragments);
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(20),
    fragment,
    times: fc.constantFrom(1, 1, 1, 2, 50),
  });
  const edited = fc
    .tuple(fc.constantFrom(...seeds), fc.array(edit, { minLength: 1, maxLength: 6 }))
    .map(([seed, edits]) =>
      edits.reduce((text, { at, length, fragment: inserted, times }) => {
        const offset = Math.floor(at * text.length);
        return text.slice(0, offset) + inserted.repeat(times) + text.slice(offset + length);
      }, seed),
    );
  return fc.oneof(
    edited,
    fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
  );
}

/** Fails on any error that is not a StudioError. */
export async function acceptsOrRejects(fuzzed: FuzzedParser, text: string): Promise<void> {
  try {
    await fuzzed.read(text);
  } catch (error) {
    if (!(error instanceof StudioError) || error.code === 'internal') throw error;
  }
}

async function readRows(read: (reading: ImportContext) => RowBatches): Promise<void> {
  const { failure } = await readAll('any', read);
  if (failure !== undefined) throw failure;
}

const sqlSeeds = [
  `INSERT INTO a (b, "c") VALUES (1, 'it''s'), (NULL, X'00ff') ON CONFLICT DO NOTHING;`,
  'COPY a (b) FROM stdin;\n1\tx\\n\n\\.\n',
  "CREATE TABLE a (b int PRIMARY KEY, c varchar(10) DEFAULT 'x' CHECK (c <> ''), FOREIGN KEY (b) REFERENCES d (e));",
  "WITH x AS (DELETE FROM a RETURNING *) SELECT $$a$$, E'\\'', N'x', [y], `z` FROM x /*!50000 WHERE 1 */ -- end\n",
  'DELIMITER //\nCREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.b = 1; END//\nDELIMITER ;\n',
];
const sqlFragments = [
  'SELECT',
  'INSERT INTO',
  'VALUES',
  'CREATE TABLE',
  'DROP',
  "E'",
  "N'",
  '$$',
  '$a$',
  '/*!',
  '\n\\.\n',
  '\nGO\n',
  'DELIMITER //',
  'COPY a FROM stdin;',
  'BEGIN',
  'END',
  'CASE',
];

const dataScripts = databaseKinds.map(({ dialect, language, dataScript }) => ({
  name: dialect.name,
  language,
  dataScript,
}));

function parsersOfDialect(name: string): readonly (readonly [string, FuzzedParser])[] {
  const kind = databaseKinds.find(({ dialect }) => dialect.name === name)!;
  const base = { seeds: sqlSeeds, fragments: sqlFragments };
  return [
    [
      `the lexer of ${name}`,
      { ...base, read: (text) => expectFullCover(text, tokenize(text, kind.language.lexical)) },
    ],
    [`the classifier of ${name}`, { ...base, read: (text) => classify(text, kind.language) }],
    [
      `the reader of structures of ${name}`,
      { ...base, read: (text) => kind.ddlReader.read(text, { data: 'skipped' }) },
    ],
    [
      `the reader of rows in the SQL of ${name}`,
      {
        ...base,
        read: (text) =>
          readRows((reading) =>
            readSql(sourceOf(text), reading, {
              ddl: 'skip',
              ownDialect: name,
              choices: dataScripts,
              dialect: name,
            }),
          ),
      },
    ],
  ];
}

/** The tokens cover the text in order and without gaps. */
function expectFullCover(
  text: string,
  tokens: readonly { readonly start: number; readonly end: number }[],
): void {
  let at = 0;
  for (const { start, end } of tokens) {
    if (start < at || end < start || end > text.length)
      throw new Error(`a token from ${start} to ${end} behind ${at}`);
    at = end;
  }
}

/** The size of the chunks in which files are read. */
const chunkBytes = 64 * 1024;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at === 0 || at < bytes.length; at += chunkBytes)
    yield bytes.subarray(at, at + chunkBytes);
}

const jsonSeeds = [
  '{"users":[{"id":1,"name":"x\\u00e4\\n","score":1.50,"x":null},{"id":2,"a":[true,{}]}]}',
  '[{"id":1},{"id":"2"}]',
  '{"tables":[{"name":"a","columns":[{"name":"b","type":"int","default_value":"1"}]}]}',
];
const schemaSeed =
  'driver: sqlite\ntables:\n  - name: a\n    columns: &c\n      - {name: b, type: "int", is_primary_key: true}\n  - name: d\n    columns: *c\n';

export const fuzzedReaders: Readonly<Record<string, FuzzedParser>> = {
  ...Object.fromEntries(databaseKinds.flatMap(({ dialect }) => parsersOfDialect(dialect.name))),
  CSV: {
    seeds: ['id,name\n1,"x, ""y""\nz"\n2,\n', 'id;name\r\n1;x\r\n', "a\tb\n'=1\t-2\n"],
    fragments: ['"', '""', ',"', '",', '\r\n'],
    read: (text) =>
      readRows((reading) =>
        readCsv(sourceOf(text, { chunkBytes }), reading, { formulas: 'guarded' }),
      ),
  },
  'exact JSON': {
    seeds: jsonSeeds,
    fragments: ['null', 'true', '\\u', '"a":'],
    read: parseExactJson,
  },
  'JSON rows': {
    seeds: jsonSeeds,
    fragments: ['null', '"a":', '{}', '[]'],
    read: (text) => readRows((reading) => readJson(sourceOf(text, { chunkBytes }), reading, {})),
  },
  NDJSON: {
    seeds: ['{"table":"a","row":{"id":1}}\n{"table":"a","row":{"id":2}}\n', '{"id":1}\n\n{"id":2}'],
    fragments: ['{"table":"a"', '"row":', '{}', '[]'],
    read: (text) =>
      readRows((reading) => readNdjson(sourceOf(text, { chunkBytes }), reading, { table: 'a' })),
  },
  'XML of workbooks': {
    seeds: ['<?xml version="1.0"?><a b="c&amp;d"><e/>text &#65; <![CDATA[x]]><!-- y --></a>'],
    fragments: [
      '<a>',
      '</a>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!DOCTYPE',
      '&#x0;',
      '&#99999999;',
      '&a;',
      '<?',
      '?>',
      '="',
    ],
    read: (text) =>
      readXml(bytesOf(text), {
        open: (_name, tag) => void tag.attribute('b'),
        text: () => undefined,
        close: () => undefined,
      }),
  },
  'Go models': {
    seeds: [
      'package a\n\nimport "gorm.io/gorm"\n\nconst n = 10\n\ntype A struct {\n\tgorm.Model\n\tName string `gorm:"size:10;index:x,unique;default:\'y\'" json:"name"`\n\tB []B `gorm:"many2many:ab"`\n}\n\ntype B struct{ ID uint }\n\nfunc (A) TableName() string { return "t" + "s" }\n',
    ],
    fragments: [
      'type',
      'struct',
      'func',
      'gorm:"',
      'map[string]',
      '[]',
      'iota',
      'const',
      'return',
      'interface{}',
    ],
    read: (text) => readGoModels([{ name: 'a.go', text }]),
  },
  DBML: {
    seeds: [
      'Project p { database_type: "SQLite" }\nEnum e { x [note: "y"]\n z }\nTable a [headercolor: #fff] {\n  id int [pk, increment, note: \'it\']\n  b e [default: `now()`]\n  indexes { (id, b) [unique] }\n}\nRef: a.id > c.d [delete: cascade]\nTable c { d int }\n',
    ],
    fragments: [
      'Table',
      'Ref:',
      'Enum',
      'indexes',
      'Note:',
      '[pk]',
      "'''",
      '~',
      '<>',
      'TablePartial',
      'use',
    ],
    read: (text) => readSchemaFile('dbml', text, schemaContext),
  },
  YAML: {
    seeds: [schemaSeed],
    fragments: ['- ', '? ', ': ', '&a ', '*a', '<<: ', '!!', '|', '>', '---', '...', '%YAML'],
    read: (text) => readSchemaFile('yaml', text, schemaContext),
  },
  'the schema in JSON': {
    seeds: [jsonSeeds[2]!],
    fragments: ['"type":', '"indexes":', '"foreign_keys":', 'null', '[]', '{}'],
    read: (text) => readSchemaFile('json', text, schemaContext),
  },
};
