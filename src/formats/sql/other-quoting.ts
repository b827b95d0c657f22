/**
 * Rewrites structure that a script writes while a setting changes how quotes or backslashes are read
 * (`sql_mode`), so that the whole structure is read by the rules at the beginning of the script.
 */
import { tokenize } from '../../portable/lexer/lexer.ts';
import { executableCode } from '../../sql/ddl/cursor.ts';
import { describeSkippedObject } from '../../sql/ddl/skipped-objects.ts';
import { lineOf } from './script/script.ts';
import { statementError } from './script/statement-error.ts';
import type { LexicalRules, Token } from '../../portable/lexer/lexer.ts';
import type { SqlScriptReader } from './script-reader.ts';

export interface StructureUnit {
  readonly text: string;
  readonly start: number;
  /** The rules by which the unit was read. */
  readonly rules: LexicalRules;
  readonly isOracle: boolean;
}

export interface RewrittenUnit {
  readonly text: string;
  /** The warning about a trigger or routine, which would work in another way under other settings. */
  readonly warning?: string;
}

export function unitOf({
  script: { lexer },
  session,
}: SqlScriptReader): Omit<StructureUnit, 'text'> {
  const isOracle = session.settings.oracleSyntax === true;
  return { start: lexer.at, rules: lexer.rules, isOracle };
}

/** The unit under the rules at the beginning of the script, with the same line breaks. */
export function underInitialRules(sql: SqlScriptReader, unit: StructureUnit): RewrittenUnit {
  const { script, session } = sql;
  const { text, rules, isOracle } = unit;
  const isChanged = isOracle || differs(rules, session.lexical);
  const after = unitOf(sql);
  if (!isChanged && !after.isOracle && !differs(after.rules, session.lexical)) return { text };
  const code = executableCode(text, rules);
  const [first] = code;
  if (first?.kind !== 'word') return { text };
  if (first.word === 'SET') return { text: lineBreaks(text) };
  const start = unit.start + first.start;
  const object = describeSkippedObject({ text, code });
  if (object !== undefined && programs.test(object))
    return {
      text: lineBreaks(text),
      warning: `Line ${lineOf(script, start)}: ${object} is left out: the file creates it under a sql_mode that changes how its text is read.`,
    };
  if (isOracle && first.word !== 'DROP')
    throw statementError(script, {
      text: text.slice(first.start),
      start,
      reason: 'is written under the sql_mode ORACLE, which imports do not read',
    });
  const rewrite = rewriter(rules, session.lexical);
  const tokens = tokenize(text, rules);
  return {
    text: tokens.map((token) => rewrite(token, text.slice(token.start, token.end))).join(''),
  };
}

const programs = /^the (?:trigger|function|procedure|event|package)\b/;

/** The line breaks of the text. */
export function lineBreaks(text: string): string {
  return text.replaceAll(/[^\n]+/g, '');
}

/** The text on one line, as far as line breaks do not matter. */
export function withoutLines(text: string, rules: LexicalRules): string {
  const tokens = tokenize(text, rules);
  if (tokens.some(({ kind }) => kind === 'meta-line')) return text;
  const isBlank = ({ kind }: Token): boolean => kind === 'space' || kind === 'comment';
  return tokens
    .map((token) => (isBlank(token) ? ' ' : text.slice(token.start, token.end)))
    .join('');
}

/** Whether texts in double quotes are names now, or backslashes are no escapes. */
function differs(rules: LexicalRules, initial: LexicalRules): boolean {
  return quotesNames(rules, initial) || keepsBackslashes(rules, initial);
}

function quotesNames(rules: LexicalRules, initial: LexicalRules): boolean {
  const [isName, wasName] = [rules, initial].map(({ nameQuotes }) =>
    nameQuotes.some(({ open }) => open === '"'),
  );
  return isName === true && wasName !== true;
}

function keepsBackslashes(rules: LexicalRules, initial: LexicalRules): boolean {
  return initial.backslashEscapes && !rules.backslashEscapes;
}

function rewriter(
  rules: LexicalRules,
  initial: LexicalRules,
): (token: Token, text: string) => string {
  const isDoubled = keepsBackslashes(rules, initial);
  return ({ kind }, text) => {
    if (kind === 'quoted-name' && text.startsWith('"'))
      return `\`${text.slice(1, -1).replaceAll('""', '"').replaceAll('`', '``')}\``;
    return kind === 'string' && isDoubled ? text.replaceAll('\\', '\\\\') : text;
  };
}
