/** The first stage of a data import: finds the kind of the uploaded file. */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { StudioError } from '../../model/errors.ts';
import { binarySentence } from '../../formats/binary-files.ts';
import { openArchive } from '../../formats/unzip.ts';
import { missingTableError } from './import-options.ts';
import { onlyFile } from './only-file.ts';
import type { Upload, UploadedFile } from '../core/job.ts';
import type { ImportOptions } from './import-options.ts';

export type ImportKind = 'csv' | 'json' | 'ndjson' | 'sql' | 'xlsx' | 'zip';

export interface RecognizedFile extends UploadedFile {
  readonly kind: ImportKind;
}

const kindByExtension: Readonly<Record<string, ImportKind>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.tab': 'csv',
  '.txt': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.sql': 'sql',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
  '.zip': 'zip',
};

export async function recognizeFile(
  upload: Upload,
  { table, tables, createTable }: ImportOptions,
): Promise<RecognizedFile> {
  const file = onlyFile(upload, 'A data import');
  // Parts that the request maps are those of a document, whose only line may look like a row.
  const hasTable = table !== undefined || (createTable && tables === undefined);
  const kind = await detectImportKind(file, { hasTable });
  const isNamed = table !== undefined || (createTable && file.name !== '');
  if (kind === 'csv' && !isNamed) throw missingTableError();
  return { ...file, name: file.name === '' ? 'the input' : file.name, kind };
}

/** Detects the kind by the extension, or by the content of a file without one. The content also distinguishes NDJSON from JSON. */
export async function detectImportKind(
  file: UploadedFile,
  { hasTable }: { readonly hasTable: boolean },
): Promise<ImportKind> {
  const extension = extname(file.name).toLowerCase();
  const head = await readHead(file.path);
  if (extension === '') return kindByContent(file, head, hasTable);
  const kind = Object.hasOwn(kindByExtension, extension) ? kindByExtension[extension] : undefined;
  if (kind === undefined) throw unsupportedFileError(file.name, extension, head);
  return kind === 'json' && isNdjson(head, hasTable) ? 'ndjson' : kind;
}

/** What to do with text files of other programs. The first bytes of binary files say what they are. */
const conversions: Readonly<Record<string, string>> = {
  '.xls': ' Save it as .xlsx first.',
  '.xml': ' Convert it to CSV, JSON or SQL first.',
};

function unsupportedFileError(name: string, extension: string, head: Buffer): StudioError {
  const advice = conversions[extension] ?? '';
  return new StudioError(
    'unsupported_media_type',
    binarySentence(name, head) ??
      `${name} is not of a kind that can be imported as data: ${Object.keys(kindByExtension).join(' ')}.${advice}`,
  );
}

const headBytes = 64 * 1024;

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const sqlStart =
  /^(?:--|\/\*|(?:insert|replace|copy|begin|start|set|create|drop|pragma|use|lock|alter)\s)/i;

async function kindByContent(
  file: UploadedFile,
  head: Buffer,
  hasTable: boolean,
): Promise<ImportKind> {
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return archiveKind(file);
  const start = textOf(head).trimStart();
  if (start.startsWith('{') || start.startsWith('['))
    return isNdjson(head, hasTable) ? 'ndjson' : 'json';
  return sqlStart.test(start) ? 'sql' : 'csv';
}

function textOf(head: Buffer): string {
  const isWide = head[0] === 0xff && head[1] === 0xfe;
  return head.toString(isWide ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
}

async function archiveKind({ name, path }: UploadedFile): Promise<ImportKind> {
  const zip = await openArchive({ name, path, limitBytes: Infinity });
  zip.close();
  return zip.files.some((entry) => entry.name === '[Content_Types].xml') ? 'xlsx' : 'zip';
}

/** Whether the first line is a complete JSON object, and either more lines follow or it is a single row. */
function isNdjson(head: Buffer, hasTable: boolean): boolean {
  const [first = '', ...otherLines] = textOf(head)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const object = parseObject(first);
  if (object === undefined) return false;
  const isRow = typeof object['table'] === 'string' && typeof object['row'] === 'object';
  const values = Object.values(object);
  return otherLines.length > 0 || isRow || (hasTable && values.length > 0 && !hasRows(values));
}

/** Whether the document of these members has an array of objects, or its only member is an object that has one. */
function hasRows(members: readonly unknown[]): boolean {
  const [only, ...others] = members;
  if (members.some((value) => Array.isArray(value) && (value.length === 0 || isObject(value[0]))))
    return true;
  return others.length === 0 && isObject(only) && hasRows(Object.values(only));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
