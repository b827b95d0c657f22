/**
 * Compares the default of a model with the expression that a database reports for it. Databases add
 * casts, brackets and quotes, and write literals and function names in their own way.
 */
export function isSameDefault(reported: string, ofModel: string): boolean {
  const [a, b] = [plainDefault(reported), plainDefault(ofModel)];
  return a === b || isSameNumber(a, b) || isSameDate(a, b);
}

const quoted = /^(?:[enb]|_utf8mb4)?(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)")$/i;

/** Keywords and functions, by the keyword or literal that they are equal to. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['true', '1'],
  ['false', '0'],
  ['now', 'current_timestamp'],
  ['getdate', 'current_timestamp'],
  ['sysdatetimeoffset', 'current_timestamp'],
]);

/** The content of a literal; any other expression in lower case, without casts, outer brackets and blanks. */
function plainDefault(text: string): string {
  const withoutWrapping = withoutBrackets(withoutCasts(text.trim()));
  const literal = quoted.exec(withoutWrapping);
  if (literal !== null)
    return literal[1]?.replaceAll("''", "'") ?? literal[2]?.replaceAll('""', '"') ?? '';
  const expression = withoutWrapping.toLowerCase().replaceAll(/\s+/g, '');
  const word = expression.replace(/\(\d?\)$/, '');
  return synonyms.get(word) ?? word;
}

/** `'a'::character varying(20)` is `'a'`. Quoted texts stay unchanged. */
function withoutCasts(text: string): string {
  return text.replaceAll(
    /('(?:[^']|'')*')|::(?:"[^"]*"|[a-z_][\w.]*(?: (?:varying|precision|with(?:out)? time zone))*)(?:\(\d+(?:,\s*\d+)?\))?(?:\[\])*/gi,
    (_, literal: string | undefined) => literal ?? '',
  );
}

function withoutBrackets(text: string): string {
  const inner = /^\((.*)\)$/s.exec(text)?.[1]?.trim();
  return inner === undefined || !isBalanced(inner) ? text : withoutBrackets(inner);
}

/** Whether no bracket closes one that was opened before the text. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/'(?:[^']|'')*'|[()]/g)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function isSameNumber(a: string, b: string): boolean {
  if (!numeric.test(a) || !numeric.test(b)) return false;
  const areIntegers = [a, b].every((text) => /^[+-]?\d+$/.test(text));
  return areIntegers ? BigInt(unsigned(a)) === BigInt(unsigned(b)) : Number(a) === Number(b);
}

/** BigInt rejects a plus sign. */
function unsigned(text: string): string {
  return text.replace(/^\+/, '');
}

/** A database shows a time in the time zone of its session, so only the texts of dates can be compared. */
function isSameDate(a: string, b: string): boolean {
  const withTime = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/;
  return withTime.test(a) && withTime.test(b);
}
