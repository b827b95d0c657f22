/** Parses native types as models write them, for the comparison with the types of existing columns. */

/** `numeric(5, 2) unsigned` in parts. */
export interface TypeText {
  /** All words without the arguments, in lower case. */
  readonly name: string;
  /** The arguments, without blanks between them. Undefined without parentheses. */
  readonly args: string | undefined;
}

const clauses =
  /'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"|\b(?:not\s+null|null|primary\s+key|unique|check|default|collate|character\s+set|charset|comment|references|constraint|generated|as\s*\(|on\s+update|auto_increment|autoincrement|identity|invisible)(?=\W|$)/gi;

/** The type without the clauses after it, such as NOT NULL and COLLATE. */
export function withoutClauses(text: string): string {
  const clause = [...text.matchAll(clauses)].find(([word]) => !/^['"]/.test(word));
  return text.slice(0, clause?.index).trim();
}

export function parseTypeText(text: string): TypeText {
  const [, before = '', args, after = ''] = /^([^(]*)(?:\((.*)\))?(.*)$/s.exec(text.trim()) ?? [];
  return {
    name: `${before} ${after}`.trim().toLowerCase().replaceAll(/\s+/g, ' '),
    args: args?.trim().replaceAll(/\s*,\s*/g, ','),
  };
}

/** The text of a type in parts. */
export function formatTypeText({ name, args }: TypeText): string {
  return args === undefined ? name : `${name}(${args})`;
}
