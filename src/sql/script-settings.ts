/** What statements that set something change for the rows behind them in a script. */
import { codeOf } from './code.ts';
import type { LexicalRules } from './lexical-rules.ts';

/** How the bytes of texts become characters. */
export type Charset = 'utf8' | 'latin1' | 'windows-1252' | 'iso-8859-15' | 'other';

/** Minutes east of Greenwich, or the name of a zone in the database of time zones. */
export type TimeZone = number | string;

/** What reads the values and names of a script; what is undefined is as it was at the beginning. */
export interface ScriptSettings {
  readonly backslashEscapes?: boolean | undefined;
  readonly doubleQuotes?: 'name' | 'string' | undefined;
  readonly charset?: Charset | undefined;
  readonly zone?: TimeZone | undefined;
  /** Schemas that names without one are looked up in. */
  readonly path?: readonly string[] | undefined;
  /** Texts of dates that the order of day, month and year reads differently. */
  readonly ambiguousDates?: RegExp | undefined;
  /** Texts of intervals that another style reads differently. */
  readonly ambiguousIntervals?: RegExp | undefined;
}

export type SettingName = keyof ScriptSettings;

export type SettingChange =
  | {
      readonly kind: 'set';
      readonly settings: ScriptSettings;
      /** Until the transaction ends. */
      readonly isLocal?: boolean;
    }
  /** The names of undefined: all. */
  | { readonly kind: 'reset'; readonly names: readonly SettingName[] | undefined }
  | { readonly kind: 'save'; readonly variable: string; readonly names: readonly SettingName[] }
  | { readonly kind: 'restore'; readonly variable: string; readonly names: readonly SettingName[] }
  /** An import does without it, and the rows may be others. */
  | { readonly kind: 'left-out' }
  | { readonly kind: 'refused'; readonly why: string };

export interface SettingToken {
  readonly kind: 'word' | 'string' | 'name' | 'number' | 'variable' | 'sign';
  /** Words in capitals, strings and names without their quotes. */
  readonly text: string;
}

/** A statement that sets something, without comments. */
export function settingTokens(text: string, rules: LexicalRules): readonly SettingToken[] {
  const tokens = codeOf(text, rules)
    .filter(({ kind }) => !kind.startsWith('versioned'))
    .map(({ kind, start, end, word }) => settingToken(kind, text.slice(start, end), word));
  const last = tokens.findLastIndex(({ kind, text: sign }) => kind !== 'sign' || sign === ')');
  return tokens.slice(0, last + 1);
}

function settingToken(kind: string, text: string, word: string): SettingToken {
  if (kind === 'string') return { kind, text: unquoted(text) };
  if (kind === 'quoted-name') return { kind: 'name', text: unquoted(text) };
  if (kind === 'number' || kind === 'variable') return { kind, text };
  return kind === 'word' ? { kind, text: word } : { kind: 'sign', text };
}

function unquoted(text: string): string {
  const quoted = text.replace(/^[A-Za-z]+&?(?=['"])/, '');
  const close = quoted.slice(-1);
  return quoted.slice(1, -1).replaceAll(close + close, close);
}

/** The parts between the commas that no parentheses hold. */
export function settingParts(
  tokens: readonly SettingToken[],
): readonly (readonly SettingToken[])[] {
  const parts: SettingToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'sign') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (token.kind === 'sign' && token.text === ',' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

/** Zones that are no zone; 0 stays what it is. */
export function zoneNamed(name: string): TimeZone | undefined {
  return /^(?:UTC|GMT|UCT|Z|Zulu|Etc\/(?:UTC|GMT|UCT|Zulu)|[+-]?0?0(?::?00)?)$/i.test(name)
    ? undefined
    : name;
}
