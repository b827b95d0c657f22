/** The catalogue's losses, as far as writers alone tell of them, and the page that lists them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts';
import { dataFormats } from '../../src/formats/data-formats.ts';
import { bufferChunks } from '../../src/formats/buffer-chunks.ts';
import { bytesOf, int, nullable, rowsOf } from './writing.ts';
import type { DataFormat } from '../../src/formats/data-formats.ts';

const formats = Object.entries<DataFormat>(dataFormats);
const page = readFileSync(join(import.meta.dirname, '../../docs/data-files.md'), 'utf8');
const script = { dialect: sqliteDialect.script, heading: [], keys: { begin: [], end: [] } };

describe.each(formats)('%s', (name, { losses, load }) => {
  test('its losses are on the page about data files', () => {
    const documented = page.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`));
    expect(documented).toEqual(
      losses.map(({ what, reason }) => `| \`${name}\` | ${sentences[what]} | ${reason} |`),
    );
  });

  test('half a surrogate pair is rejected if that is a listed loss, and otherwise written', async () => {
    const rows = rowsOf(
      'halves',
      [nullable('id', int), nullable('t', { kind: 'text' })],
      [[1, 'a\ud800b']],
    );
    const writing = bytesOf(
      bufferChunks((await load()).table(rows, { formulas: 'guarded', script })),
    );
    if (losses.some(({ what }) => what === 'half_pairs'))
      await expect(writing).rejects.toMatchObject({ code: 'invalid_value' });
    else await expect(writing).resolves.toBeInstanceOf(Buffer);
  });
});

const sentences: Readonly<Record<DataFormat['losses'][number]['what'], string>> = {
  not_utf8:
    'text that is not valid UTF-8 (SQLite) becomes binary, which a STRICT table refuses in a column of TEXT',
  not_utf8_hex:
    'text that is not valid UTF-8 (SQLite) becomes binary in columns of binary or of no type, in others the text of `\\x` and its bytes in hex',
  half_pairs: 'text with half of a surrogate pair (SQL Server) is refused',
  stored_class:
    'a value of another class than its column has (SQLite) becomes what its text is there',
  variant_type: 'the type of a value in a `sql_variant` becomes the nearest that the file tells',
  enum_zero:
    'the value of an ENUM outside its labels (MySQL, MariaDB), which reads as the empty text, is refused, or becomes the empty label where there is one',
  empty_text: 'the empty text becomes NULL',
  long_text: 'longer texts are refused',
  json_blanks: 'blanks and line breaks around a JSON document go',
  array_blanks: 'blanks and line breaks around a JSON document in an array (PostgreSQL) go',
  json_lines: 'line breaks between the parts of JSON become blanks',
};
