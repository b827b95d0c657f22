/** Session settings that statements of a script change for the rows after them. */
import { codeOf } from '../portable/lexer/code.ts';
import type { LexicalRules } from '../portable/lexer/lexical-rules.ts';

/** The encoding of string bytes. */
export type Charset = 'utf8' | 'latin1' | 'windows-1252' | 'iso-8859-15' | 'other';

/** Minutes east of Greenwich, or a zone name of the IANA time zone database. */
export type TimeZone = number | string;

/** Settings that affect how values and names of a script are read; undefined means the initial value. */
export interface ScriptSettings {
  readonly backslashEscapes?: boolean | undefined;
  readonly doubleQuotes?: 'name' | 'string' | undefined;
  /** The script is written for Oracle (MariaDB's sql_mode ORACLE). */
  readonly oracleSyntax?: boolean | undefined;
  readonly charset?: Charset | undefined;
  readonly zone?: TimeZone | undefined;
  /** 0 in a numbered column is a value, and does not stand for the next number. */
  readonly keepsZero?: boolean | undefined;
  /** Columns without a value get the implicit default of their type (sql_mode of MySQL without a strict mode). */
  readonly storesImplicitDefaults?: boolean | undefined;
  /** Schemas in which unqualified names are looked up. */
  readonly path?: readonly string[] | undefined;
  /** Matches date strings whose meaning depends on the order of day, month and year. */
  readonly ambiguousDates?: RegExp | undefined;
  /** The order of dates such as `12/31/2026`, if the script sets one that makes them certain. */
  readonly dateOrder?: 'MDY' | undefined;
  /** Matches interval strings whose meaning depends on the interval style. */
  readonly ambiguousIntervals?: RegExp | undefined;
}

export type SettingName = keyof ScriptSettings;

export type SettingChange =
  | {
      readonly kind: 'set';
      readonly settings: ScriptSettings;
      /** The setting lasts until the transaction ends. */
      readonly isLocal?: boolean;
    }
  /** `undefined` resets all settings. */
  | { readonly kind: 'reset'; readonly names: readonly SettingName[] | undefined }
  | { readonly kind: 'save'; readonly variable: string; readonly names: readonly SettingName[] }
  | { readonly kind: 'restore'; readonly variable: string; readonly names: readonly SettingName[] }
  /** The import ignores the setting, so rows may differ. */
  | { readonly kind: 'left-out' }
  | {
      readonly kind: 'rejected';
      readonly reason: string;
      /** The setting concerns rows, so a schema import ignores it. */
      readonly concernsRows?: true;
    };

export interface SettingToken {
  readonly kind: 'word' | 'string' | 'name' | 'number' | 'variable' | 'symbol';
  /** Words in upper case; strings and names without their quotes. */
  readonly text: string;
  /** For words: the text as it is written. */
  readonly raw?: string;
}

/** The tokens of a SET statement, without comments and without punctuation at the end. */
export function settingTokens(text: string, rules: LexicalRules): readonly SettingToken[] {
  const tokens = codeOf(text, rules)
    .filter(({ kind }) => !kind.startsWith('versioned'))
    .map(({ kind, start, end, word }) => settingToken(kind, text.slice(start, end), word));
  const last = tokens.findLastIndex(
    ({ kind, text: symbol }) => kind !== 'symbol' || symbol === ')',
  );
  return tokens.slice(0, last + 1);
}

function settingToken(kind: string, text: string, word: string): SettingToken {
  if (kind === 'string') return { kind, text: unquoted(text) };
  if (kind === 'quoted-name') return { kind: 'name', text: unquoted(text) };
  if (kind === 'number' || kind === 'variable') return { kind, text };
  return kind === 'word' ? { kind, text: word, raw: text } : { kind: 'symbol', text };
}

function unquoted(text: string): string {
  // Strings may have a prefix: N'…', E'…', U&'…'.
  const quoted = text.replace(/^[A-Za-z]+&?(?=['"])/, '');
  const close = quoted.slice(-1);
  return quoted.slice(1, -1).replaceAll(close + close, close);
}

/** Splits the tokens at the commas outside parentheses. */
export function settingParts(
  tokens: readonly SettingToken[],
): readonly (readonly SettingToken[])[] {
  const parts: SettingToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'symbol') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (token.kind === 'symbol' && token.text === ',' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

/** The named zone. Undefined, the initial value, for names of UTC. */
export function zoneNamed(name: string): TimeZone | undefined {
  return /^(?:UTC|GMT|UCT|Z|Zulu|Etc\/(?:UTC|GMT|UCT|Zulu)|[+-]?0?0(?::?00)?)$/i.test(name)
    ? undefined
    : name;
}
