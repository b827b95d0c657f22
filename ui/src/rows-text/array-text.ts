import { NumberToken } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client/client.ts';
import { base64Of, documentOf } from '../cells/value-kind.ts';
import { hexOf } from './hex.ts';

/** The text of a PostgreSQL array literal, without quotes. `type` is the array type. */
export function arrayText(items: readonly Cell[], type: string): string {
  const isJson = /^jsonb?\[/.test(type);
  const delimiter = type === 'box[]' ? ';' : ',';
  const write = (item: Cell): string => {
    if (item === null) return 'NULL';
    if (Array.isArray(item)) return `{${(item as readonly Cell[]).map(write).join(delimiter)}}`;
    if (typeof item === 'number' || item instanceof NumberToken) return String(item);
    if (typeof item === 'boolean') return String(item);
    const base64 = base64Of(item);
    if (base64 !== undefined) return quoted(`\\x${hexOf(base64)}`);
    return quoted(typeof item === 'string' && !isJson ? item : JSON.stringify(documentOf(item)));
  };
  return write(items);
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
