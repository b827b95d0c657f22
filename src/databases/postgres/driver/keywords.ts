/**
 * One `keyword=value` of libpq. A value with spaces is in single quotes; a backslash escapes a character.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-KEYWORD-VALUE
 */
const pair = /\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?:\s+|$)/sy;

/** Whether the text is a connection string of libpq and Go, such as `host=localhost dbname=shop`. */
export function isKeywordList(text: string): boolean {
  return /^\s*(?:host|hostaddr|user|dbname|port|password|sslmode|target_session_attrs)\s*=/.test(
    text,
  );
}

/** Keywords with their values in the order given, or undefined if the text is malformed. */
export function readKeywords(text: string): readonly (readonly [string, string])[] | undefined {
  const pairs: (readonly [string, string])[] = [];
  pair.lastIndex = 0;
  let position = 0;
  while (position < text.length) {
    const [match, name = '', quoted, plain = ''] = pair.exec(text) ?? [];
    if (match === undefined) return undefined;
    position += match.length;
    pairs.push([name, (quoted ?? plain).replaceAll(/\\(.)/gs, '$1')]);
  }
  return pairs;
}
