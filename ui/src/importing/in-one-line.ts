/** Shows line breaks, which a cell of one line would show as spaces. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, ' ↵ ');
}
