import { isUtf8 } from 'node:buffer';
import { problemAt, sourceError } from './program.ts';
import type { SourceFile } from '../syntax/syntax.ts';

/** Throws `parse_failed` for bytes that are not UTF-8. Files of tests, which are left out, may have any. */
export function decodeGoSource(name: string, bytes: Buffer): SourceFile {
  const text = bytes.toString('utf8');
  const source = { name, text };
  if (isUtf8(bytes) || name.endsWith('_test.go')) return source;
  const decoded = Buffer.from(text);
  const invalid = bytes.findIndex((byte, i) => byte !== decoded[i]);
  const offset = bytes.subarray(0, invalid).toString('utf8').length;
  const message = 'This byte is not UTF-8, the encoding of Go files.';
  throw sourceError('parse_failed', [problemAt(source, offset, { code: 'parse_failed', message })]);
}
