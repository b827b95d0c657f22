/** Reads the tokens of a statement of a script. */
import type { SettingToken } from './script-settings.ts';

/** Reads tokens one after the other. A method that does not find its tokens does not move the cursor. */
export interface TokenCursor {
  /** Skips words if all of them follow. */
  accept(...words: readonly string[]): boolean;
  /** A name with its qualifiers. */
  name(): readonly string[] | undefined;
  /** The text of a string. */
  string(): string | undefined;
  /** A string that contains a name, such as `'public.users_id_seq'`. */
  nameInString(): readonly string[] | undefined;
  integer(): bigint | undefined;
  isAtEnd(): boolean;
  /** Moves to the token after the first occurrence of a word outside parentheses. */
  skipPast(word: string): boolean;
}

export interface NameRules {
  /** Unquoted names are in lower case. */
  readonly foldsToLower?: boolean;
}

export function tokenCursor(
  tokens: readonly SettingToken[],
  { foldsToLower = false }: NameRules = {},
): TokenCursor {
  let at = 0;
  const isWord = (token: SettingToken | undefined, word: string): boolean =>
    token !== undefined &&
    (token.kind === 'word' || token.kind === 'symbol') &&
    token.text.toUpperCase() === word;
  const accept: TokenCursor['accept'] = (...words) => {
    if (!words.every((word, i) => isWord(tokens[at + i], word))) return false;
    at += words.length;
    return true;
  };
  const part = (): string | undefined => {
    const token = tokens[at];
    if (token?.kind !== 'word' && token?.kind !== 'name') return undefined;
    at++;
    if (token.kind === 'name') return token.text;
    const name = token.raw ?? token.text;
    return foldsToLower ? name.toLowerCase() : name;
  };
  const string = (): string | undefined => {
    const token = tokens[at];
    if (token?.kind !== 'string') return undefined;
    at++;
    return token.text;
  };
  return {
    accept,
    string,
    name: () => {
      const parts = [part()];
      while (accept('.')) if (!isWord(tokens[at], '.')) parts.push(part());
      return parts.every((each) => each !== undefined) ? parts : undefined;
    },
    nameInString: () => {
      const text = string();
      return text === undefined ? undefined : namesIn(text, foldsToLower);
    },
    integer: () => {
      const sign = accept('-') ? '-' : '';
      const token = tokens[at];
      if (token?.kind !== 'number' || !/^\d{1,19}$/.test(token.text)) return undefined;
      at++;
      return BigInt(sign + token.text);
    },
    isAtEnd: () => at >= tokens.length,
    skipPast: (word) => {
      const found = indexOutsideParentheses(tokens, at, (token) => isWord(token, word));
      if (found !== -1) at = found + 1;
      return found !== -1;
    },
  };
}

function indexOutsideParentheses(
  tokens: readonly SettingToken[],
  from: number,
  test: (token: SettingToken) => boolean,
): number {
  let depth = 0;
  return tokens.findIndex((token, i) => {
    if (i < from) return false;
    if (depth === 0 && test(token)) return true;
    if (token.kind === 'symbol') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    return false;
  });
}

const namePart =
  /^(?:"((?:[^"]|"")*)"|\[((?:[^\]]|\]\])*)\]|`((?:[^`]|``)*)`|([^."[\]`\s]+))(\.|$)/;

/** The parts of a qualified name in a text. Undefined if the text is not a name. */
function namesIn(text: string, foldsToLower: boolean): readonly string[] | undefined {
  const parts: string[] = [];
  for (let rest = text.trim(); ;) {
    const [all, double, bracket, backtick, plain = '', end] = namePart.exec(rest) ?? [];
    if (all === undefined) return undefined;
    const quoted =
      double?.replaceAll('""', '"') ??
      bracket?.replaceAll(']]', ']') ??
      backtick?.replaceAll('``', '`');
    parts.push(quoted ?? (foldsToLower ? plain.toLowerCase() : plain));
    if (end === '') return parts;
    rest = rest.slice(all.length);
  }
}
