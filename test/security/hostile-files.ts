/** Small files that demand excessive work or memory of their reader. */
import { writeZipOf } from '../formats/write-zip.ts';

export interface HostileFile {
  readonly title: string;
  readonly name: string;
  readonly content: Uint8Array | string;
}

/** How deep nested files are nested. */
const nestingDepth = 200_000;
const manyZeros = '0'.repeat(20_000_000);
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An XLSX workbook of one sheet, in which the given parts replace those of a valid one. */
function workbookOf(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const allParts: Readonly<Record<string, string>> = {
    '_rels/.rels': `<r><Relationship Id="a" Type="${relations}/officeDocument" Target="w.xml"/></r>`,
    'w.xml': '<workbook><sheets><sheet name="S" id="a"/></sheets></workbook>',
    '_rels/w.xml.rels':
      `<r><Relationship Id="a" Type="${relations}/worksheet" Target="s.xml"/>` +
      `<Relationship Id="b" Type="${relations}/sharedStrings" Target="t.xml"/></r>`,
    's.xml': '<worksheet><sheetData/></worksheet>',
    't.xml': '<sst/>',
    ...parts,
  };
  return writeZipOf(Object.entries(allParts).map(([name, content]) => ({ name, content })));
}

function file(title: string, name: string, content: Uint8Array | string): HostileFile {
  return { title, name, content };
}

/** YAML whose aliases expand to billions of nodes, as in the "billion laughs" attack. */
const billionLaughs = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 12 }, (_, i) => {
    const before = Array.from({ length: 10 }, () => `*a${i}`).join(', ');
    return `a${i + 1}: &a${i + 1} [${before}]`;
  }),
  'tables: *a12',
].join('\n');

/** YAML whose merge keys double the work at each of thirty levels. */
const mergers = [
  'm0: &m0 {a: 1}',
  ...Array.from({ length: 30 }, (_, i) => `m${i + 1}: &m${i + 1} {<<: [*m${i}, *m${i}]}`),
  'tables: [*m30]',
].join('\n');

/** Files for `import/data`, into a table `items` with an id and a text. */
export async function hostileDataFiles(): Promise<readonly HostileFile[]> {
  const bomb = await writeZipOf([{ name: 'items.csv', content: `id,name\n1,${manyZeros}` }]);
  const bombWithFalseSize = Buffer.from(bomb);
  // Offset 24 of an entry in the central directory has the uncompressed size, which readers use.
  bombWithFalseSize.writeUInt32LE(10, bombWithFalseSize.lastIndexOf('PK\u0001\u0002') + 24);
  const entries = Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}.csv`, content: '' }));
  const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const header = `<row>${cell('id')}${cell('name')}</row>`;
  return [
    file('a zip that expands a thousandfold', 'bomb.zip', bomb),
    file('a zip that lies about its size', 'lies.zip', bombWithFalseSize),
    file('a zip of ten thousand entries', 'many.zip', await writeZipOf(entries)),
    file('a zip in a zip', 'nested.zip', await writeZipOf([{ name: 'items.zip', content: bomb }])),
    file('a truncated zip', 'cut.zip', bomb.subarray(0, bomb.length - 30)),
    file(
      'a zip with a path out of its folder',
      'out.zip',
      withPathOutside(await writeZipOf([{ name: 'xx/xx/items.csv', content: 'id\n7\n' }])),
    ),
    file(
      'a zip of one entry twice',
      'twice.zip',
      await writeZipOf([
        { name: 'items.csv', content: 'id\n7\n' },
        { name: 'items.csv', content: 'id\n7\n' },
      ]),
    ),
    file('a file that is not a zip', 'none.zip', 'PK\u0003\u0004 and so on'),
    file(
      'a workbook of a huge sheet',
      'sheet.xlsx',
      await workbookOf({
        's.xml': `<worksheet><sheetData>${header}<row><c><v>1</v></c>${cell(manyZeros)}</row></sheetData></worksheet>`,
      }),
    ),
    file(
      'a workbook of huge shared strings',
      'strings.xlsx',
      await workbookOf({ 't.xml': `<sst><si><t>${manyZeros}</t></si></sst>` }),
    ),
    file(
      'a workbook with entities',
      'entities.xlsx',
      await workbookOf({
        's.xml': `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><worksheet><sheetData>${header}<row>${cell('&b;')}</row></sheetData></worksheet>`,
      }),
    ),
    file(
      'a workbook with an entity of a file',
      'files.xlsx',
      await workbookOf({
        's.xml': `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet><sheetData>${header}<row>${cell('&a;')}</row></sheetData></worksheet>`,
      }),
    ),
    file(
      'a deeply nested workbook',
      'deep.xlsx',
      await workbookOf({ 's.xml': `<worksheet><sheetData>${'<row>'.repeat(nestingDepth)}` }),
    ),
    file(
      'a workbook with a column beyond the last',
      'wide.xlsx',
      await workbookOf({
        's.xml': `<worksheet><sheetData>${header}<row><c r="ZZZZZZZ2"><v>1</v></c></row></sheetData></worksheet>`,
      }),
    ),
    file(
      'a workbook with an index of a missing string',
      'points.xlsx',
      await workbookOf({
        's.xml': `<worksheet><sheetData>${header}<row><c t="s"><v>99999999999</v></c></row></sheetData></worksheet>`,
      }),
    ),
    file('deep JSON arrays', 'deep.json', `{"items":${'['.repeat(nestingDepth)}`),
    file('deep JSON objects', 'deeper.json', `{"items":[{"name":${'{"a":'.repeat(nestingDepth)}`),
    file(
      'a JSON text without an end',
      'endless.json',
      `{"items":[{"name":"${'x'.repeat(5_000_000)}`,
    ),
    file(
      'JSON with the key __proto__',
      'proto.json',
      '{"items":[{"id":7,"__proto__":{"name":"x"}}]}',
    ),
    file('JSON for the table __proto__', 'prototable.json', '{"__proto__":[{"id":7}]}'),
    file('JSON for the table constructor', 'constructor.json', '{"constructor":[{"id":7}]}'),
    file('JSON with a key twice', 'twice.json', '{"items":[{"id":7,"id":8}]}'),
    file('JSON with a table twice', 'tables.json', '{"items":[{"id":7}],"items":[{"id":8}]}'),
    file(
      'JSON with half a surrogate pair',
      'surrogate.json',
      String.raw`{"items":[{"id":7,"name":"\ud800"}]}`,
    ),
    file(
      'JSON with invalid UTF-8',
      'bytes.json',
      Buffer.from('{"items":[{"id":7,"name":"\xff\xfe"}]}', 'latin1'),
    ),
    file(
      'JSON with a number of a million digits',
      'digits.json',
      `{"items":[{"id":${'9'.repeat(1_000_000)}}]}`,
    ),
    file('JSON with a huge exponent', 'exponent.json', '{"items":[{"id":1e999999999}]}'),
    file('an unterminated quote', 'quote.csv', `id,name\n7,"${'x\n'.repeat(3_000_000)}`),
    file(
      'a header of a hundred thousand columns',
      'wide.csv',
      `${Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(',')}\n7\n`,
    ),
    file('a header with __proto__', 'proto.csv', 'id,__proto__\n7,x\n'),
    file('a row of a hundred thousand fields', 'long.csv', `id,name\n7${',x'.repeat(100_000)}\n`),
    file(
      'CSV in UTF-16 with half a character at its end',
      'half.csv',
      Buffer.from('\ufeffid,name\n7,x\n', 'utf16le').subarray(0, -1),
    ),
    file(
      'CSV of binary data',
      'bytes.csv',
      Buffer.from([0x69, 0x64, 0x0a, 0x37, 0x0a, 0x00, 0xff, 0xfe, 0x80]),
    ),
    file(
      'SQL with an unterminated quote',
      'quote.sql',
      `INSERT INTO items (name) VALUES ('${'x'.repeat(1_000_000)}`,
    ),
    file(
      'SQL nested deep',
      'deep.sql',
      `INSERT INTO items (name) VALUES (${'('.repeat(nestingDepth)}`,
    ),
    file(
      'SQL with a DROP TABLE after its INSERT',
      'drop.sql',
      'INSERT INTO items (id) VALUES (7); DROP TABLE items;',
    ),
    file(
      'NDJSON with an endless line',
      'line.ndjson',
      `{"table":"items","row":{"name":"${'x'.repeat(5_000_000)}`,
    ),
  ];
}

/** Replaces a path by one outside of the archive. Both have the same length, so the archive stays valid. */
function withPathOutside(archive: Buffer): Buffer {
  const text = archive.toString('latin1').replaceAll('xx/xx/', '../../');
  return Buffer.from(text, 'latin1');
}

/** Files for `import/schema`. */
export const hostileSchemaFiles: readonly HostileFile[] = [
  file('YAML with aliases of billions of nodes', 'laughs.yaml', billionLaughs),
  file('YAML with merge keys of merge keys', 'merge.yaml', mergers),
  file('YAML that contains itself', 'self.yaml', 'tables: &a [*a]'),
  file(
    'YAML with a tag that would run',
    'tag.yaml',
    'tables: !!js/function "function () { return 1 }"',
  ),
  file('YAML nested deep', 'deep.yaml', `tables: ${'['.repeat(20_000)}`),
  file('YAML with a list as a key', 'keys.yaml', 'tables:\n  ? [a, b]\n  : c'),
  file('JSON nested deep', 'deep.json', `{"tables":${'['.repeat(nestingDepth)}`),
  file(
    'JSON with an object instead of tables',
    'proto.json',
    '{"tables":{"__proto__":[]},"constructor":1}',
  ),
  file('DBML nested deep', 'deep.dbml', `Table a { id int [note: ${'('.repeat(20_000)}`),
  file('truncated DBML', 'cut.dbml', 'Table a {\n  id int\n'),
  file('SQL nested deep', 'deep.sql', `CREATE TABLE a (b int CHECK (${'('.repeat(nestingDepth)}`),
  file(
    'SQL that never closes its quote',
    'quote.sql',
    `CREATE TABLE a (b int DEFAULT '${'x'.repeat(1_000_000)}`,
  ),
  file('SQL that drops an existing table', 'drop.sql', 'DROP TABLE items;'),
];

/** Files for `import/models`. */
export const hostileModelFiles: readonly HostileFile[] = [
  file(
    'Go nested deep',
    'deep.go',
    `package a\n\ntype A struct {\n\tID ${'[]'.repeat(20_000)}int\n`,
  ),
  file(
    'Go of structs in structs',
    'structs.go',
    `package a\n\ntype A struct {\n${'B struct {\n'.repeat(5000)}`,
  ),
  file('Go that embeds itself', 'self.go', 'package a\n\ntype A struct {\n\tID uint\n\tA\n}\n'),
  file('a file that is not Go', 'none.go', '\0\0\0\0'),
];
