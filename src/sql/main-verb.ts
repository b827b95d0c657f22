/** Finds the main verb of a statement, and its effects. */
import { isKeyword, longestKey } from '../portable/lexer/code.ts';
import { bareName, effect, effectsAnywhere, intoEffects, reservedVerbEffects } from './effects.ts';
import { indexAfterWith } from './with-clause.ts';
import type { Effect, StatementCode, StatementKind, StatementShape } from './statement-rules.ts';

export interface MainVerb {
  readonly verb: string;
  readonly rule: StatementKind | StatementShape;
  readonly at: number;
}

/** The verb from token `from` on, after opening parentheses and WITH clauses. */
export function mainVerb(statement: StatementCode, from = 0): MainVerb | undefined {
  const { code, rules } = statement;
  let at = from;
  for (;;) {
    while (code[at]?.word === '(') at += 1;
    const token = code[at];
    if (token === undefined) return undefined;
    const verb = longestKey(rules.verbs, code, at);
    const rule = verb === undefined ? undefined : rules.verbs[verb];
    if (verb === undefined || rule === undefined)
      return { verb: token.word, rule: unknownKind(statement, at), at };
    if (rule !== 'with') return { verb, rule, at };
    at = indexAfterWith(statement, at);
    if (at >= code.length) return { verb, rule: 'unknown', at };
  }
}

function unknownKind({ code, rules }: StatementCode, at: number): StatementKind {
  const kind = code[at]?.kind;
  return rules.callsWithoutVerb && (kind === 'word' || kind === 'quoted-name')
    ? 'execute'
    : 'unknown';
}

export function mainEffects(statement: StatementCode, main: MainVerb): Effect[] {
  if (main.rule === 'explain') return explainEffects(statement, main);
  return [...verbEffects(statement, main), ...effectsAnywhere(statement)];
}

function verbEffects(statement: StatementCode, { verb, rule, at }: MainVerb): Effect[] {
  switch (rule) {
    case 'query':
      return [effect(verb, 'read'), ...intoEffects(statement), ...reservedVerbEffects(statement)];
    case 'administration':
      return [effect(verb, rule), ...intoEffects(statement)];
    case 'pragma':
      return [pragmaEffect(statement, at)];
    case 'copy':
      return [copyEffect(statement, { verb, rule, at })];
    case 'with':
    case 'explain':
      return [effect(verb, 'unknown')];
    default:
      return [effect(verb, rule)];
  }
}

/** A pragma is a read only if it is listed for its syntax: bare, or with a value as `name = value` or `name(value)`. */
function pragmaEffect({ text, code, rules }: StatementCode, at: number): Effect {
  const nameAt = code[at + 2]?.word === '.' ? at + 3 : at + 1;
  const token = code[nameAt];
  const name =
    token === undefined ? '' : bareName(text.slice(token.start, token.end)).toLowerCase();
  const { bare, withValue, withExternalEffects } = rules.pragmas;
  const reading = code.length === nameAt + 1 ? bare : withValue;
  if (reading.includes(name)) return effect(`PRAGMA ${name}`, 'read');
  const kind = Object.hasOwn(withExternalEffects, name) ? withExternalEffects[name] : undefined;
  return effect(`PRAGMA ${name}`, kind ?? 'administration');
}

const copyFromClient: Effect = {
  kind: 'external',
  reason:
    'COPY FROM STDIN waits for rows, which a request cannot send: import the rows as data instead',
};

/** COPY TO STDOUT reads; COPY FROM STDIN cannot work in a request; all other forms access files or programs of the server. */
function copyEffect({ code, groupEnds }: StatementCode, { verb, at }: MainVerb): Effect {
  let i = at;
  while (i < code.length) {
    const next = code[i + 1]?.word;
    if (code[i]?.word === 'TO') return effect(verb, next === 'STDOUT' ? 'read' : 'external');
    if (code[i]?.word === 'FROM')
      return next === 'STDIN' ? copyFromClient : effect(verb, 'external');
    i = code[i]?.word === '(' ? (groupEnds[i] ?? code.length) : i + 1;
  }
  return effect(verb, 'unknown');
}

/** EXPLAIN runs nothing; EXPLAIN ANALYZE runs the statement. */
function explainEffects(statement: StatementCode, main: MainVerb): Effect[] {
  const { runs, at } = readExplain(statement, main);
  const inner = mainVerb(statement, at);
  if (runs) {
    if (inner === undefined) return [effect(main.verb, 'unknown')];
    return [...verbEffects(statement, inner), ...effectsAnywhere(statement)];
  }
  // SQLite runs some pragmas while it prepares them. Servers may evaluate constant function calls for the plan.
  const pragma = inner?.rule === 'pragma' ? [pragmaEffect(statement, inner.at)] : [];
  const external = effectsAnywhere(statement).filter(({ kind }) => kind === 'external');
  return [
    effect(main.verb, 'read'),
    ...pragma,
    ...external,
    ...planEffects(statement, main.at, at),
  ];
}

/** MySQL: EXPLAIN FORMAT=JSON INTO @plan SELECT … */
function planEffects({ code }: StatementCode, from: number, to: number): Effect[] {
  const keeps = code.slice(from, to).some(({ word }) => word === 'INTO');
  return keeps ? [effect('EXPLAIN … INTO', 'session')] : [];
}

interface Explained {
  readonly runs: boolean;
  /** Where the explained statement begins. */
  readonly at: number;
}

const analyze = new Set(['ANALYZE', 'ANALYSE']);

function readExplain(statement: StatementCode, main: MainVerb): Explained {
  const { code, groupEnds } = statement;
  const options = main.at + 1;
  if (code[options]?.word === '(' && !isQueryStart(statement, options + 1)) {
    const at = groupEnds[options] ?? code.length;
    return { runs: hasAnalyze(statement, options, at), at };
  }
  let runs = analyze.has(main.verb);
  let at = options;
  while (at < code.length && code[at]?.word !== '(' && !isExplainable(statement, at)) {
    runs ||= analyze.has(code[at]?.word ?? '');
    at += 1;
  }
  return { runs, at };
}

function isQueryStart({ code, rules }: StatementCode, at: number): boolean {
  const word = code[at]?.word ?? '';
  return word === '(' || ['query', 'with'].includes(rules.verbs[word] ?? '');
}

function isExplainable({ code, rules }: StatementCode, at: number): boolean {
  const verb = isKeyword(code, at) ? longestKey(rules.verbs, code, at) : undefined;
  return (
    verb !== undefined && rules.verbs[verb] !== 'explain' && !analyze.has(code[at]?.word ?? '')
  );
}

/** Whether the options contain an ANALYZE that is not switched off. */
function hasAnalyze({ text, code }: StatementCode, from: number, to: number): boolean {
  return code.slice(from, to).some(({ word }, offset) => {
    const value = code[from + offset + 1];
    const off =
      value !== undefined && /^(?:false|off|0)$/i.test(text.slice(value.start, value.end));
    return analyze.has(word) && !off;
  });
}
