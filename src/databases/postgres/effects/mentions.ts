/** The names in a statement or function body, and the effects that are visible without the catalog. */
import { callEffectOf, effect, functionKind } from '../../../sql/effects.ts';
import { postgresStatementRules } from '../language/statement-rules.ts';
import { effectsOfCommands } from './body-commands.ts';
import { tokenizeBody } from './body-tokens.ts';
import type { StatementEffect } from '../../../model/database.ts';
import type { BodyLanguage } from './body-commands.ts';
import type { BodyToken } from './body-tokens.ts';

/** Names without schemas, so that the result does not depend on the search_path. */
export interface Mentions {
  /** Possible functions: every name in an expression or a definition. */
  readonly functions: Set<string>;
  /** Names after a dot: columns, or functions called in attribute notation. */
  readonly attributes: Set<string>;
  readonly operators: Set<string>;
  readonly relations: Set<string>;
  /** The relations that the text may write to. */
  readonly written: Set<string>;
  readonly effects: StatementEffect[];
  /** What the bodies of functions that the statement creates do to the server and to other databases when they run. */
  readonly effectsWhenCalled: StatementEffect[];
  /** Whether it runs SQL that it builds at run time. */
  runsDynamicSql: boolean;
}

export function noMentions(): Mentions {
  return {
    functions: new Set(),
    attributes: new Set(),
    operators: new Set(),
    relations: new Set(),
    written: new Set(),
    effects: [],
    effectsWhenCalled: [],
    runsDynamicSql: false,
  };
}

const operator = /^[-+*/<>=~!@#%^&|`?]+$/;

export function mentionName(mentions: Mentions, name: string): void {
  if (operator.test(name)) mentions.operators.add(name);
  else mentions.functions.add(name);
}

export function addMentions(mentions: Mentions, other: Mentions): void {
  for (const key of ['functions', 'attributes', 'operators', 'relations', 'written'] as const)
    for (const name of other[key]) mentions[key].add(name);
  mentions.effects.push(...other.effects);
  mentions.effectsWhenCalled.push(...other.effectsWhenCalled);
  mentions.runsDynamicSql ||= other.runsDynamicSql;
}

/**
 * The names in a text that is not a single statement, such as a PL/pgSQL body. Any word may be a name, so
 * the result may have too many names, but misses none.
 */
export function mentionsOfBody(body: string, language: BodyLanguage = 'sql'): Mentions {
  const mentions = noMentions();
  if (body.trim() === '') return mentions;
  const tokenizations = tokenizeBody(body);
  if (tokenizations === undefined) return { ...mentions, runsDynamicSql: true };
  for (const tokens of tokenizations) addMentions(mentions, mentionsOfTokens(tokens, language));
  return mentions;
}

function mentionsOfTokens(tokens: readonly BodyToken[], language: BodyLanguage): Mentions {
  const mentions = noMentions();
  for (const { text, isName } of tokens) if (isName) mentionName(mentions, nameOf(text));
  for (const name of mentions.functions) mentions.relations.add(name);
  for (const [word, operators] of operatorWords)
    if (mentions.functions.has(word)) for (const name of operators) mentions.operators.add(name);
  const code = tokens.map(({ text }) => text.toUpperCase());
  const words = ` ${code.join(' ')} `;
  if (writes.test(words)) for (const name of mentions.relations) mentions.written.add(name);
  if (externalAccess.test(words))
    mentions.effects.push({
      kind: 'external',
      reason: 'Its body reaches files or the network',
    });
  mentions.effects.push(...effectsOfCommands(code, language));
  mentions.effectsWhenCalled.push(
    ...mentions.effects.filter(isAdministration),
    ...tokens.flatMap((_, i) => externalCall(tokens, i)),
  );
  mentions.runsDynamicSql = runsDynamicSql.test(words) || / U&"/.test(words);
  return mentions;
}

function isAdministration({ kind, reason }: StatementEffect): boolean {
  return kind === 'administration' && !maintenance.has(reason);
}

/** Statements that change neither rows nor privileges. */
const maintenance: ReadonlySet<string> = new Set(
  ['ANALYZE', 'ANALYSE', 'CLUSTER', 'REINDEX', 'VACUUM', 'CHECKPOINT'].map(
    (verb) => effect(verb, 'administration').reason,
  ),
);

/** A function of an extension, which may be installed later than the body that calls it. */
function externalCall(tokens: readonly BodyToken[], i: number): readonly StatementEffect[] {
  const { text = '', isName } = tokens[i] ?? {};
  if (isName !== true || tokens[i + 1]?.text !== '(') return [];
  const name = nameOf(text).toLowerCase();
  return functionKind(postgresStatementRules, name) === 'external'
    ? [callEffectOf(name, 'external')]
    : [];
}

/** Operators that have keywords. Comparison operators are checked for every statement. */
const operatorWords = [
  ['like', ['~~', '!~~']],
  ['ilike', ['~~*', '!~~*']],
  ['similar', ['~', '!~']],
  ['overlaps', ['&&']],
] as const;

/** The name as the server resolves it: in lower case, or without quotes. */
function nameOf(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase();
}

const writes = / (?:INSERT|UPDATE|DELETE|MERGE) /;
const runsDynamicSql =
  / EXECUTE (?!FUNCTION |PROCEDURE )| DO (?:LANGUAGE \S+ )?' | CREATE (?:OR REPLACE )?(?:TRUSTED |PROCEDURAL )*(?:FUNCTION|PROCEDURE|CAST|OPERATOR|AGGREGATE|LANGUAGE|EXTENSION|EVENT|TRIGGER|TYPE|TRANSFORM|CONVERSION|ACCESS|TEXT) /;
const externalAccess =
  / COPY .*? (?:TO|FROM) (?:PROGRAM )?' | LOAD ' | ALTER SYSTEM | (?:CREATE|ALTER) (?:SERVER|FOREIGN|SUBSCRIPTION|TABLESPACE|USER MAPPING) | IMPORT FOREIGN /s;
