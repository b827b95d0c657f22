import type { LexicalRules, ParameterForm } from './lexical-rules.ts';

/** The lexical rules of a dialect, compiled to sticky regular expressions. */
export interface LexicalPatterns {
  readonly space: RegExp;
  /** The first characters of quoted tokens, including prefix letters. */
  readonly quotedStart: ReadonlySet<string>;
  readonly word: RegExp;
  readonly number: RegExp;
  readonly parameter: RegExp | undefined;
  readonly variable: RegExp | undefined;
  readonly punctuation: RegExp;
  readonly operator: RegExp;
  readonly lineComment: RegExp;
  readonly lineEnd: RegExp;
  readonly versionedOpen: RegExp | undefined;
}

const cachedPatterns = new WeakMap<LexicalRules, LexicalPatterns>();

export function patternsOf(rules: LexicalRules): LexicalPatterns {
  const patterns = cachedPatterns.get(rules) ?? compile(rules);
  cachedPatterns.set(rules, patterns);
  return patterns;
}

function compile(rules: LexicalRules): LexicalPatterns {
  return {
    quotedStart: quotedStart(rules),
    space: sticky(`[${rules.blanks}]+`),
    word: sticky(`[${rules.nameStart}][${rules.nameRest}]*`),
    number: numberPattern(rules.allowsEmptyExponent),
    parameter: anyOf(rules.parameters.map((form) => parameterPattern(form, rules.nameRest))),
    variable: rules.variables ? sticky(`@@?[${rules.nameRest}]+`) : undefined,
    punctuation: /[(),.;[\]{}]/y,
    operator: /::|:=|<=|>=|<>|!=|\|\||->>?|=>/y,
    lineComment: lineCommentPattern(rules),
    lineEnd: new RegExp(`[${rules.lineEnds}]`, 'g'),
    versionedOpen: anyOf(rules.versionedComments.map((open) => `${escape(open)}(?:\\d{5,6})?`)),
  };
}

function quotedStart({ nameQuotes, stringQuotes, prefixes }: LexicalRules): ReadonlySet<string> {
  const letters = prefixes.map((prefix) => prefix.letters.charAt(0));
  const lowerCase = letters.map((letter) => letter.toLowerCase());
  return new Set([
    ...nameQuotes.map(({ open }) => open),
    ...stringQuotes,
    ...letters,
    ...lowerCase,
  ]);
}

function sticky(source: string): RegExp {
  return new RegExp(source, 'y');
}

function anyOf(sources: readonly string[]): RegExp | undefined {
  return sources.length === 0 ? undefined : sticky(sources.join('|'));
}

function escape(text: string): string {
  return text.replaceAll(/[*/!?$]/g, String.raw`\$&`);
}

/** A number ends where its digits end, since some servers take `1SELECT` as two tokens. */
function numberPattern(allowsEmptyExponent: boolean): RegExp {
  const exponent = allowsEmptyExponent ? String.raw`e[+-]?\d*` : String.raw`e[+-]?\d+`;
  return new RegExp(
    `0x[0-9a-f]*|(?:\\d[\\d_]*(?:\\.[\\d_]*)?|\\.\\d[\\d_]*)(?:${exponent})?`,
    'iy',
  );
}

function parameterPattern(form: ParameterForm, nameRest: string): string {
  const [symbol = '', tail] = form;
  const rest =
    tail === '1' ? (symbol === '?' ? String.raw`\d*` : String.raw`\d+`) : `[${nameRest}]+`;
  return tail === undefined ? escape(symbol) : escape(symbol) + rest;
}

function lineCommentPattern({ dashesNeedBlank, hashComments }: LexicalRules): RegExp {
  const dashes = dashesNeedBlank ? String.raw`--(?=[\x00-\x20\x7f]|$)` : '--';
  return sticky(hashComments ? `${dashes}|#` : dashes);
}
