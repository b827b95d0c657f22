/** Recognizes files that are no text by their first bytes, whatever their extension says. */
import { StudioError } from '../model/errors.ts';

interface BinaryKind {
  readonly start: Buffer;
  /** What the file is, and what to do with it. */
  readonly sentence: string;
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const decompress = 'Decompress it first.';

const binaryKinds: readonly BinaryKind[] = [
  {
    start: latin1('PGDMP'),
    sentence:
      'is an archive of pg_dump, which is no script. Write a script of it with pg_restore -f FILE.sql ARCHIVE, and import that.',
  },
  {
    start: latin1('SQLite format 3\0'),
    sentence:
      'is a SQLite database, which is no text. Open it as a database and export its tables.',
  },
  {
    start: latin1('TAPE\0\0'),
    sentence:
      'is a backup of SQL Server, which is no text. Restore it on a server, and generate a script there.',
  },
  {
    start: latin1('\0\u0001\0\0Standard '),
    sentence: 'is a database of Access, which is no text. Export its tables as files first.',
  },
  {
    start: latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    sentence: 'is an old file of Excel or another program of Office, which is no text. Save it as .xlsx first.', // prettier-ignore
  },
  { start: latin1('\x1f\x8b'), sentence: `is compressed with gzip. ${decompress}` },
  { start: latin1('BZh91AY&SY'), sentence: `is compressed with bzip2. ${decompress}` },
  { start: latin1('\xfd7zXZ\0'), sentence: `is compressed with xz. ${decompress}` },
  { start: latin1('\x28\xb5\x2f\xfd'), sentence: `is compressed with zstd. ${decompress}` },
  { start: latin1('7z\xbc\xaf\x27\x1c'), sentence: `is a 7z archive. Extract its files first.` },
  { start: latin1('Rar!\x1a\x07'), sentence: `is a RAR archive. Extract its files first.` },
  {
    start: latin1('PK\x03\x04'),
    sentence: 'is a ZIP archive. Give its name the extension .zip, or .xlsx if it is a workbook.',
  },
  { start: latin1('%PDF-'), sentence: 'is a PDF, which has no rows to import.' },
];

/** The number of bytes that `rejectBinary` needs, unless the file is shorter. */
export const binaryStartBytes = Math.max(...binaryKinds.map(({ start }) => start.length));

/** Throws `parse_failed` for a file whose first bytes are those of a known kind that is no text. */
export function rejectBinary(name: string, first: Uint8Array): void {
  const sentence = binarySentence(name, first);
  if (sentence !== undefined) throw new StudioError('parse_failed', sentence);
}

/** What a file is, and what to do with it. Undefined for files of other kinds. */
export function binarySentence(name: string, first: Uint8Array): string | undefined {
  const kind = binaryKinds.find(({ start }) => start.equals(first.subarray(0, start.length)));
  return kind && `${name} ${kind.sentence}`;
}
