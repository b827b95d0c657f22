/** Renders names, strings and expressions of DBML. */

/** In double quotes, within which only quotes, backslashes and control characters need an escape. */
export function quoteName(name: string): string {
  return `"${escape(name, '"')}"`;
}

export function quoteText(text: string): string {
  return `'${escape(text, "'")}'`;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

function escape(text: string, quote: string): string {
  // oxlint-disable-next-line no-control-regex -- some readers end a line or a string at them
  return text.replaceAll(/[\\'"\u0000-\u001f\u007f\u2028\u2029]/g, (character) => {
    if (character === '"' || character === "'")
      return character === quote ? `\\${character}` : character;
    return shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Undefined for expressions that contain a backtick, which has no escape. */
export function quoteExpression(expression: string): string | undefined {
  const text = withoutBackticks(expression);
  return text.includes('`') ? undefined : `\`${text}\``;
}

/** Removes MySQL's quotes around plain names, which need none. */
function withoutBackticks(expression: string): string {
  return expression.replaceAll(/`([A-Za-z_]\w*)`/g, '$1');
}

const plainType = /^[A-Za-z_]\w*(?:\(\s*(?:\w+)(?:\s*,\s*\d+)?\s*\))?$/;

/** The type name of a column without a type (SQLite). */
export const untypedName = 'untyped';

/** Quotes a type unless it is a word, possibly with sizes. */
export function formatType(type: string): string {
  if (type === '') return untypedName;
  return plainType.test(type) ? type : quoteName(type);
}

/** A comment on one line. */
export function formatComment(text: string): string {
  return `// ${text.replaceAll(/\s+/g, ' ')}`;
}

/** Joins settings that are rendered already, such as `name: "x"`. */
export function formatSettings(list: readonly string[]): string {
  return list.length === 0 ? '' : ` [${list.join(', ')}]`;
}

export function formatQualifiedName({
  localName,
  namespace,
}: {
  readonly localName: string;
  readonly namespace?: string | undefined;
}): string {
  return namespace === undefined
    ? quoteName(localName)
    : `${quoteName(namespace)}.${quoteName(localName)}`;
}
