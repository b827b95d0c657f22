/** Texts in one parameter: separated by commas, percent-encoded because a text may contain a comma. */

export function encodeList(texts: readonly string[]): string {
  return texts.map(encodeURIComponent).join(',');
}

/** Undefined if a text is not encoded correctly. */
export function decodeList(list: string): readonly string[] | undefined {
  try {
    return list === '' ? [] : list.split(',').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
