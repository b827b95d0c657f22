/** Finds the constructs within a statement that do more than its verb says: function calls, phrases such as INTO OUTFILE, nested verbs. */
import { isKeyword, longestKey } from '../portable/lexer/code.ts';
import { indexAfterWith } from './with-clause.ts';
import { statementKinds } from './statement-rules.ts';
import type { Effect, StatementCode, StatementKind, StatementRules } from './statement-rules.ts';

const effectDescriptions: Readonly<Record<StatementKind, string>> = {
  empty: 'does nothing',
  read: 'reads',
  session: 'changes the connection',
  transaction: 'controls the transaction',
  write: 'changes or locks rows',
  ddl: 'changes the structure',
  execute: 'runs code that the text does not show',
  administration: 'administers the server',
  unknown: 'has unknown effects',
  external: 'accesses files, programs or the network',
};

export function effect(reason: string, kind: StatementKind): Effect {
  return { kind, reason: `${reason} ${effectDescriptions[kind]}` };
}

/** Effects that any statement can have, whatever its verb. */
export function effectsAnywhere(statement: StatementCode): Effect[] {
  const dialectEffects = statement.rules.effects?.(statement) ?? [];
  return statement.code
    .flatMap((_, i) => [
      ...callEffect(statement, i),
      ...phraseEffect(statement, i),
      ...nestedVerbEffect(statement, i),
    ])
    .concat(dialectEffects);
}

/** Effects of SELECT … INTO, which creates a table or writes a variable or file. */
export function intoEffects(statement: StatementCode): Effect[] {
  return statement.code.flatMap((_, i) => intoEffect(statement, i));
}

/** Reserved verbs in a query: they show that the text holds a second statement. */
export function reservedVerbEffects(statement: StatementCode): Effect[] {
  return statement.code.flatMap((_, i) => reservedVerbEffect(statement, i));
}

function callEffect({ text, code, rules }: StatementCode, i: number): Effect[] {
  const token = code[i];
  if (token === undefined || code[i + 1]?.word !== '(') return [];
  if (token.kind !== 'word' && token.kind !== 'quoted-name') return [];
  if (isNameOfTable(code, i)) return [];
  const tokenText = text.slice(token.start, token.end);
  // A name with Unicode escapes, which PostgreSQL resolves: it may be any function's.
  if (/^U&".*\\/is.test(tokenText)) return [effect(`${tokenText}()`, 'unknown')];
  const name = bareName(tokenText).toLowerCase();
  const kind = functionKind(rules, name);
  return kind === undefined ? [] : [callEffectOf(name, kind)];
}

/** Whether a list of columns follows the name: `CREATE TABLE name (`, `REFERENCES name (`, `CREATE INDEX … ON name (`. */
function isNameOfTable(code: StatementCode['code'], i: number): boolean {
  let start = i;
  while (code[start - 1]?.word === '.') start -= 2;
  let before = start - 1;
  if (isWord(code, before, 'REFERENCES')) return true;
  if (!isWord(code, 0, 'CREATE')) return false;
  if (isWord(code, before, 'ON')) return isIndexOn(code, before);
  if (isWord(code, before, 'EXISTS') && isWord(code, before - 2, 'IF')) before -= 3;
  return isWord(code, before, 'TABLE');
}

/** Whether the word is the first ON of CREATE INDEX: expressions follow it. */
function isIndexOn(code: StatementCode['code'], on: number): boolean {
  const index = code.findIndex((_, i) => isWord(code, i, 'INDEX'));
  const isCreateIndex = code
    .slice(1, Math.max(index, 1))
    .every(({ word }) => ['UNIQUE', 'CLUSTERED', 'NONCLUSTERED'].includes(word));
  return index > 0 && isCreateIndex && code.findIndex((_, i) => isWord(code, i, 'ON')) === on;
}

function isWord(code: StatementCode['code'], i: number, word: string): boolean {
  return code[i]?.word === word && isKeyword(code, i);
}

export function callEffectOf<K extends StatementKind>(name: string, kind: K): Effect & { kind: K } {
  return { kind, reason: effect(`${name}()`, kind).reason, calls: name };
}

/** A name without its quotes. Doubled quotes inside remain, because no function name has any. */
export function bareName(tokenText: string): string {
  return tokenText.replace(/^(?:U&)?["`[](.*)["`\]]$/is, '$1');
}

/** The kind of effect of a function, if the rules list it. */
export function functionKind(
  { functions }: Pick<StatementRules, 'functions'>,
  name: string,
): StatementKind | undefined {
  if (Object.hasOwn(functions, name)) return functions[name];
  const family = Object.keys(functions).find(
    (key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)),
  );
  return family === undefined ? undefined : functions[family];
}

/** Leaves INTO to `intoEffects`, since it is part of INSERT and MERGE too. */
function phraseEffect({ code, rules }: StatementCode, i: number): Effect[] {
  const phrase = isKeyword(code, i) ? longestKey(rules.phrases, code, i) : undefined;
  return phrase === 'INTO' ? [] : effectOfPhrase(rules, phrase);
}

/** Ignores the INTO of INSERT, MERGE and REPLACE. */
function intoEffect({ code, rules }: StatementCode, i: number): Effect[] {
  if (code[i]?.word !== 'INTO' || !isKeyword(code, i)) return [];
  if (['INSERT', 'MERGE', 'REPLACE'].includes(code[i - 1]?.word ?? '')) return [];
  return effectOfPhrase(rules, longestKey(rules.phrases, code, i));
}

function effectOfPhrase({ phrases }: StatementRules, phrase: string | undefined): Effect[] {
  return phrase === undefined ? [] : [effect(phrase, phrases[phrase] ?? 'unknown')];
}

/** A verb after a parenthesis is followed by its object; a column with the same name is not. */
function nestedVerbEffect(statement: StatementCode, i: number): Effect[] {
  const { code, rules } = statement;
  if (code[i]?.word !== '(') return [];
  const verb = code[i + 1]?.word === 'WITH' ? indexAfterWith(statement, i + 1) : i + 1;
  const object = code[verb + 1]?.kind;
  if (object !== 'word' && object !== 'quoted-name') return [];
  const word = longestKey(rules.verbs, code, verb);
  return word !== undefined && rules.verbs[word] === 'write' ? [effect(word, 'write')] : [];
}

function reservedVerbEffect({ code, rules }: StatementCode, i: number): Effect[] {
  const word = code[i]?.word ?? '';
  if (!rules.reservedVerbs.includes(word) || !isKeyword(code, i)) return [];
  // A function such as REPLACE(…), and the UPDATE of SELECT … FOR UPDATE, which the phrases list.
  if (code[i + 1]?.word === '(' || code[i - 1]?.word === 'FOR') return [];
  return [effect(word, kindOf(rules, word))];
}

function kindOf({ verbs }: StatementRules, verb: string): StatementKind {
  const rule = verbs[verb];
  return statementKinds.find((kind) => kind === rule) ?? 'unknown';
}
