/** Reads arrays and binary strings for columns of a database that writes them in other ways. */
import { bytesOf } from '../values/literals.ts';
import { valueError } from './value-error.ts';
import type { Column } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { DecodeText } from '../script/session.ts';

interface FileTypeOptions {
  readonly dataScript: Pick<DataScriptRules, 'arrayJson' | 'stringsAreBytes'>;
  /** Decodes the bytes of a string, which are given as Latin-1 characters. */
  readonly decode: DecodeText;
}

interface FileTypeReader {
  /** Reads the text of a literal, as Latin-1 characters. */
  text(raw: string): Value;
  /** Reads `ARRAY[…]`, which is given as JSON with numbers as strings. */
  array?(json: string): Value;
}

/** Undefined if the type of the column in the file is not known, or its texts are those of the column. */
export function fileTypeReader(
  column: Column,
  { dataScript, decode }: FileTypeOptions,
): FileTypeReader | undefined {
  const { fileType: type } = column;
  const { arrayJson, stringsAreBytes } = dataScript;
  if (type?.kind === 'array' && arrayJson !== undefined) {
    const read = (text: string): string => arrayJson(text, type.of) ?? rejectArray(column, text);
    return {
      text: (raw) => read(decode(raw)),
      array: (json) => read(literalOf(JSON.parse(json) as JsonArray)),
    };
  }
  if (type?.kind === 'binary' && column.type.kind === 'binary')
    return { text: stringsAreBytes ? bytesOf : (raw) => byteaOf(raw, column) };
  return undefined;
}

function rejectArray(column: Column, text: string): never {
  throw valueError(column, `${JSON.stringify(text.slice(0, 60))} is not an array.`);
}

type JsonArray = readonly (string | boolean | null | JsonArray)[];

function literalOf(items: JsonArray): string {
  const texts = items.map((item) => {
    if (item === null) return 'NULL';
    if (typeof item === 'boolean') return String(item);
    return typeof item === 'string' ? quoted(item) : literalOf(item);
  });
  return `{${texts.join(',')}}`;
}

function quoted(item: string): string {
  return `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** https://www.postgresql.org/docs/current/datatype-binary.html */
export function byteaOf(raw: string, column: Column): Buffer {
  if (/^\\x(?:[\da-f]{2})*$/i.test(raw)) return Buffer.from(raw.slice(2), 'hex');
  if (!/^(?:[^\\]|\\\\|\\[0-3][0-7]{2})*$/.test(raw) || raw.startsWith('\\x'))
    throw valueError(column, 'a backslash in this bytea literal begins no escape.');
  const unescaped = raw.replaceAll(/\\(?:\\|([0-7]{3}))/g, (_, octal?: string) =>
    octal === undefined ? '\\' : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return bytesOf(unescaped);
}
