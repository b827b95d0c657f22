import { serverError } from '../dialect/errors.ts';

/** The server counts characters from 1, and not UTF-16 units. */
export function errorOffset(error: unknown, text: string): number | undefined {
  const position = Number(serverError(error)?.position);
  if (!(position >= 1)) return undefined;
  let offset = 0;
  for (
    let remainingCharacters = position - 1;
    remainingCharacters > 0 && offset < text.length;
    remainingCharacters--
  )
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}
