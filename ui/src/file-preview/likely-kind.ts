import { headBytes } from './file-preview.ts';

/** Guesses from the start of a file whether it contains data or a schema. Undefined if that is unclear. */
export async function likelyKind(
  file: Blob,
  format: string | undefined,
): Promise<'data' | 'schema' | undefined> {
  const text = await file.slice(0, headBytes).text();
  if (format === 'json') return /"columns"\s*:\s*\[\s*\{/.test(text) ? 'schema' : 'data';
  const createsTables = /^\s*create\s+(?:\w+\s+)?table\b/im.test(text);
  const writesRows = /^\s*(?:insert|replace|copy|merge)\b/im.test(text);
  if (createsTables === writesRows) return undefined;
  return createsTables ? 'schema' : 'data';
}
