/** The losses that formats declare: they are documented in docs/data-files.md, and happen as declared. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts';
import { dataFormats } from '../../src/formats/data-formats.ts';
import { bufferChunks } from '../../src/formats/buffer-chunks.ts';
import { bytesOf, int, nullable, rowsOf } from './writing.ts';
import type { DataFormat, LossKind } from '../../src/formats/data-formats.ts';

const formats = Object.entries<DataFormat>(dataFormats);
const page = readFileSync(join(import.meta.dirname, '../../docs/data-files.md'), 'utf8');
const script = { dialect: sqliteDialect.script, heading: [], keys: { begin: [], end: [] } };

test('all losses are documented on the page about data files', () => {
  const [, table = ''] = /## What is lost\n([\s\S]*?)\n## /.exec(page) ?? [];
  const documented = table.split('\n').filter((line) => line.startsWith('| '));
  const expected = Object.entries(documentedLosses).map(([lossKind, sentence]) => {
    const formatsWithLoss = formats.flatMap(([name, { losses }]) =>
      losses.filter((loss) => loss.lossKind === lossKind).map(({ reason }) => ({ name, reason })),
    );
    const names = formatsWithLoss.map(({ name }) => `\`${name}\``).join(', ');
    return `| ${sentence} | ${names} | ${formatsWithLoss[0]?.reason} |`;
  });
  expect(documented.slice(2)).toEqual(expected);
});

describe.each(formats)('the format %s', (_name, { losses, load }) => {
  test('half a surrogate pair is rejected if that is a listed loss, and otherwise written', async () => {
    const rows = rowsOf(
      'halves',
      [nullable('id', int), nullable('t', { kind: 'text' })],
      [[1, 'a\ud800b']],
    );
    const written = bytesOf(
      bufferChunks((await load()).table(rows, { formulas: 'guarded', csv: {}, script })),
    );
    if (losses.some(({ lossKind }) => lossKind === 'half_pairs'))
      await expect(written).rejects.toMatchObject({ code: 'invalid_value' });
    else await expect(written).resolves.toBeInstanceOf(Buffer);
  });
});

const documentedLosses: Readonly<Record<LossKind, string>> = {
  not_utf8:
    'text that is not valid UTF-8 (SQLite) becomes binary; a TEXT column of a STRICT table rejects it',
  not_utf8_hex:
    'text that is not valid UTF-8 (SQLite) becomes binary in binary and untyped columns, and `\\x` with its bytes in hex in other columns',
  half_pairs: 'text with half of a surrogate pair (SQL Server) cannot be exported',
  stored_class:
    "a value whose storage class differs from its column's type (SQLite) is converted as its text would be",
  variant_type: 'a value in a `sql_variant` column gets the type that fits the file best',
  enum_zero:
    'the invalid ENUM value with index 0 (MySQL, MariaDB) is rejected, or becomes the label that is the empty string',
  empty_text: 'the empty string becomes NULL',
  long_text: 'texts over the limit cannot be exported',
  json_blanks: 'white space around a JSON document',
  array_blanks: 'white space around JSON documents in an array (PostgreSQL)',
  json_lines: 'line breaks between the tokens of JSON become spaces',
};
