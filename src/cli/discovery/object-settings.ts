/** Settings in the text of a JavaScript, TypeScript or JSON file, which is never run. */

/** Where the value of a setting comes from. */
export type Setting =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'variable'; readonly name: string }
  /** Only the program knows the value, or several parts of the file set it. */
  | { readonly kind: 'computed' };

/** A text with its strings taken out. Each is a character of its own, so that no pattern finds its content. */
export interface Code {
  readonly text: string;
  readonly strings: readonly string[];
}

/** Comments and strings; everything else of the text remains. A string that does not end is cut off. */
const commentsOrStrings =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\[^])*`?)/g;

export function withoutComments(text: string): string {
  return text.replaceAll(commentsOrStrings, (_, literal: string | undefined) => literal ?? ' ');
}

/** A string is written as its number between these, which source files do not contain. */
const [open, close] = ['\u{F0000}', '\u{F0001}'];

export function codeOf(text: string): Code {
  const strings: string[] = [];
  const code = text
    .replaceAll(/[\u{F0000}\u{F0001}]/gu, ' ')
    .replaceAll(commentsOrStrings, (_, literal: string | undefined) =>
      literal === undefined ? ' ' : `${open}${strings.push(literal) - 1}${close}`,
    );
  return { text: code, strings };
}

/** The text of a string, or undefined if it has escapes or expressions. */
function contentOf({ strings }: Code, index: string | undefined): string | undefined {
  const literal = strings[Number(index)] ?? '';
  const isWhole = literal.length > 1 && literal.startsWith(literal.at(-1) ?? '');
  if (!isWhole || literal.includes('\\')) return undefined;
  if (literal.startsWith('`') && literal.includes('${')) return undefined;
  return literal.slice(1, -1);
}

const string = `${open}(\\d+)${close}`;
const assignment = new RegExp(
  `(?:(?<![\\w$.])([\\w$]+)|${string})\\s*:\\s*(?:Number\\(\\s*)?` +
    `(?:${string}|(\\d+|true|false)\\b|process\\.env(?:\\.(\\w+)|\\[\\s*${string}\\s*\\])|(?=[^]|$))`,
  'gu',
);

const importedNames = new RegExp(`\\bimport\\s*\\{([^{}]*)\\}\\s*from\\s*${string}`, 'gu');
const envCall = new RegExp(
  `(?<![\\w$.])env\\s*(?:<\\s*\\w+\\s*>)?\\(\\s*(${open}\\d+${close})\\s*\\)`,
  'gu',
);

/** Replaces `env('NAME')` by `process.env['NAME']` if `env` is imported from one of these modules. */
export function withEnvCalls(code: Code, modules: readonly string[]): Code {
  const isImported = [...code.text.matchAll(importedNames)].some(
    ([, names = '', from]) =>
      modules.includes(contentOf(code, from) ?? '') && /(?:^|,)\s*env\s*(?:,|$)/.test(names),
  );
  return isImported ? { ...code, text: code.text.replaceAll(envCall, 'process.env[$1]') } : code;
}

/** What may follow a value that is complete: the end of the property, or what only concerns its type. */
const end = /^\s*!?\s*\)?\s*(?:(?:as|satisfies)\s+\w+\s*)?(?:[,;}\]]|$)/u;
/** A default, which does not matter for a variable that is set. */
const endOrDefault = /^\s*!?\s*\)?\s*(?:\?\?|\|\|)/u;

/** Finds a setting of the file. Undefined if it has none. */
export function findSetting(code: Code, name: string): Setting | undefined {
  const found = new Map<string, Setting>();
  for (const match of code.text.matchAll(assignment)) {
    const [whole, key, quotedKey] = match;
    if ((key ?? contentOf(code, quotedKey)) !== name) continue;
    const setting = settingOf(code, match, code.text.slice(match.index + whole.length));
    found.set(JSON.stringify(setting), setting);
  }
  const settings = [...found.values()];
  return settings.length > 1 ? { kind: 'computed' } : settings[0];
}

function settingOf(code: Code, match: RegExpExecArray, rest: string): Setting {
  const [, , , literal, word, dotted, quoted] = match;
  const variable = dotted ?? (quoted === undefined ? undefined : contentOf(code, quoted));
  if (variable !== undefined && (end.test(rest) || endOrDefault.test(rest)))
    return { kind: 'variable', name: variable };
  const value = word ?? (literal === undefined ? undefined : contentOf(code, literal));
  if (value === undefined || variable !== undefined || !end.test(rest)) return { kind: 'computed' };
  return { kind: 'text', value };
}
