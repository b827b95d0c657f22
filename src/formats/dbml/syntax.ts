/** Names, texts and expressions as DBML writes them. */

/** In double quotes, where nothing but quotes, backslashes and control characters mean something. */
export function quoteName(name: string): string {
  return `"${escaped(name, '"')}"`;
}

export function quoteText(text: string): string {
  return `'${escaped(text, "'")}'`;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

function escaped(text: string, quote: string): string {
  // oxlint-disable-next-line no-control-regex -- they end a line or a text for some readers
  return text.replaceAll(/[\\'"\u0000-\u001f\u007f\u2028\u2029]/g, (sign) => {
    if (sign === '"' || sign === "'") return sign === quote ? `\\${sign}` : sign;
    return shortEscapes[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Undefined for one with a backtick, which cannot be written in them. */
export function quoteExpression(expression: string): string | undefined {
  const text = withoutBackticks(expression);
  return text.includes('`') ? undefined : `\`${text}\``;
}

/** MySQL's quotes around plain names say nothing. */
function withoutBackticks(expression: string): string {
  return expression.replaceAll(/`([A-Za-z_]\w*)`/g, '$1');
}

const plainType = /^[A-Za-z_]\w*(?:\(\s*(?:\w+)(?:\s*,\s*\d+)?\s*\))?$/;

/** What a column has for a type that has none. */
export const untypedName = 'untyped';

/** As it is where it is a word with sizes; else it is a name. */
export function formatType(type: string): string {
  if (type === '') return untypedName;
  return plainType.test(type) ? type : quoteName(type);
}

/** A comment of one line. */
export function formatComment(text: string): string {
  return `// ${text.replaceAll(/\s+/g, ' ')}`;
}

/** A setting's words stand as they are: `name: "x"`. */
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
