/**
 * Finds the effects of a statement with PostgreSQL's parser and the catalog: which functions it calls,
 * explicitly or implicitly, and which functions these call in turn.
 */
import { arrayLiteral } from '../dialect/array-literal.ts';
import { callEffectOf, functionKind } from '../../../sql/effects.ts';
import { isAllowedFunction } from './allowed-functions.ts';
import { findCalledFunctions } from './called-functions.ts';
import { mentionsOfText } from './mentions-of-text.ts';
import { addMentions, noMentions } from './mentions.ts';
import { hasExternalAccess } from './external-access.ts';
import { postgresStatementRules } from '../language/statement-rules.ts';
import type { Session, StatementEffect, DatabaseTarget } from '../../../model/database.ts';
import type { EffectOptions } from '../../../model/stored-program.ts';
import type { Table } from '../../../model/schema.ts';
import type { CatalogMatches, CatalogSearch } from './called-functions.ts';
import type { CalledFunction } from './called-functions-query.ts';
import type { Mentions } from './mentions.ts';

export async function effectsOf(
  session: Session,
  text: string,
  { readOnly, isProgram }: Pick<DatabaseTarget, 'readOnly'> & EffectOptions,
): Promise<readonly StatementEffect[]> {
  const mentions = await mentionsOfText({ text });
  const effects = await search(session, { mentions, relations: [], readOnly, runsQueries: true });
  return isProgram === true ? [...effects, ...mentions.effectsWhenCalled] : effects;
}

/** The same for a read of all rows of these relations. */
export async function effectsOfReading(
  session: Session,
  relations: readonly Table[],
  { readOnly }: Pick<DatabaseTarget, 'readOnly'>,
): Promise<readonly StatementEffect[]> {
  const names = [relations.map(({ namespace = '' }) => namespace), relations.map(({ localName }) => localName)]; // prettier-ignore
  const params = names.map((list) => arrayLiteral(JSON.stringify(list)));
  const { rows } = await session.run({ text: relationsQuery, params });
  const oids = rows.map(([oid]) => Number(oid));
  if (oids.length === 0) return [];
  return search(session, {
    mentions: noMentions(),
    relations: oids,
    readOnly,
    runsQueries: false,
  });
}

const relationsQuery = `SELECT c.oid::bigint FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE (n.nspname, c.relname) IN (
  SELECT * FROM ROWS FROM (pg_catalog.unnest($1::name[]), pg_catalog.unnest($2::name[])) AS r)`;

interface SearchStart {
  readonly mentions: Mentions;
  readonly relations: readonly number[];
  readonly readOnly: boolean;
  /** Includes the queries of materialized views, which REFRESH runs and a read does not. */
  readonly runsQueries: boolean;
}

async function search(
  session: Session,
  { mentions, relations, readOnly, runsQueries }: SearchStart,
): Promise<readonly StatementEffect[]> {
  const effects = [...mentions.effects];
  const state: SearchState = {
    seenKeys: new Set(),
    types: new Set(),
    effects,
    hiddenSql: mentions.runsDynamicSql ? ['It'] : [],
    runsAsOwner: false,
  };
  const start = { functions: [], operators: [], writtenRelations: [], types: [] };
  let next: CatalogSearch | undefined = { ...start, mentions, relations };
  while (next !== undefined)
    next = await nextSearch(await findCalledFunctions(session, next, runsQueries), state);
  // Hidden statements can do whatever the privileges of the login, or of the function's owner, allow.
  if (
    state.hiddenSql.length > 0 &&
    (readOnly || state.runsAsOwner || (await hasExternalAccess(session)))
  )
    effects.push({
      kind: 'execute',
      reason: `${state.hiddenSql.join(', ')} runs SQL that its text does not show${readOnly ? '' : ', and so could reach files or the network'}`,
    });
  return effects;
}

interface SearchState {
  /** Inspected objects, as `kind oid`. */
  readonly seenKeys: Set<string>;
  /** Types that a value may have. */
  readonly types: Set<number>;
  readonly effects: StatementEffect[];
  /** Functions that run SQL which they build at run time. */
  readonly hiddenSql: string[];
  runsAsOwner: boolean;
}

/** Undefined if nothing new was found. */
async function nextSearch(
  matches: CatalogMatches,
  state: SearchState,
): Promise<CatalogSearch | undefined> {
  const mentions = noMentions();
  for (const relation of matches.writtenCatalogs)
    state.effects.push({
      kind: 'external',
      reason: `Writing to the system catalog ${relation} can make anything run`,
    });
  for (const file of matches.files)
    state.effects.push({
      kind: 'external',
      reason: `The foreign table ${file} is a file or a program of the server`,
    });
  for (const oid of matches.types) state.types.add(oid);
  for (const called of matches.functions) {
    if (isNew(state, `funcid ${called.oid}`)) await inspectFunction(called, { state, mentions });
  }
  const newReferences = matches.references.filter(
    ({ kind, oid }) =>
      !state.seenKeys.has(`${keyOf(kind)} ${oid}`) &&
      !(keyOf(kind) === 'funcid' && state.seenKeys.has(`queried ${oid}`)),
  );
  const oidsOf = (...kinds: readonly string[]): number[] =>
    newReferences.filter(({ kind }) => kinds.includes(kind)).map(({ oid }) => oid);
  for (const oid of oidsOf('resulttype')) state.types.add(oid);
  const next = {
    mentions,
    functions: oidsOf('funcid', 'opfuncid', 'aggfnoid', 'winfnoid'),
    operators: oidsOf('opno'),
    relations: oidsOf('relid'),
    writtenRelations: oidsOf('written'),
    types: [...state.types],
  };
  // A function is inspected once the catalog has returned it.
  for (const { kind, oid } of newReferences)
    if (keyOf(kind) !== 'funcid') state.seenKeys.add(`${keyOf(kind)} ${oid}`);
  for (const { kind, oid } of newReferences)
    if (keyOf(kind) === 'funcid') state.seenKeys.add(`queried ${oid}`);
  const isDone =
    newReferences.length === 0 && mentions.functions.size === 0 && mentions.relations.size === 0;
  return isDone ? undefined : next;
}

const functionKeys: ReadonlySet<string> = new Set(['funcid', 'opfuncid', 'aggfnoid', 'winfnoid']);

function keyOf(kind: string): string {
  return functionKeys.has(kind) ? 'funcid' : kind;
}

function isNew({ seenKeys }: SearchState, key: string): boolean {
  if (seenKeys.has(key)) return false;
  seenKeys.add(key);
  return true;
}

interface FunctionContext {
  readonly state: SearchState;
  /** Collects the names in function bodies. */
  readonly mentions: Mentions;
}

async function inspectFunction(
  called: CalledFunction,
  { state, mentions }: FunctionContext,
): Promise<void> {
  const { name, language } = called;
  if (language === 'c' || language === 'internal') {
    state.effects.push(...effectsOfCode(called));
    return;
  }
  const body =
    language === 'sql' || language === 'plpgsql'
      ? await mentionsOfText({ text: called.body ?? '', language })
      : undefined;
  if (body === undefined && !called.isTrusted)
    state.effects.push({
      kind: 'external',
      reason: `${name}() is in the language ${language}, which may reach files, programs or the network`,
    });
  if (body !== undefined) {
    addMentions(mentions, { ...body, effects: [], runsDynamicSql: false });
    state.effects.push(
      ...body.effects.map(({ kind, reason }) => ({
        kind,
        calls: name,
        reason: `${name}(): ${reason}`,
      })),
    );
  }
  if (body?.runsDynamicSql === false) return;
  state.hiddenSql.push(`${name}()`);
  state.runsAsOwner ||= called.isSecurityDefiner;
}

/** Compiled functions are classified by their name and their declaration. */
function effectsOfCode(called: CalledFunction): readonly StatementEffect[] {
  const { name, isBuiltIn, volatility, isTrigger, mayRunText, returnsNothing } = called;
  // Statements cannot call trigger functions directly.
  if (isTrigger || isAllowedFunction(called)) return [];
  const kind = functionKind(postgresStatementRules, name.toLowerCase());
  if (kind !== undefined && kind !== 'empty' && kind !== 'read') return [callEffectOf(name, kind)];
  if (volatility === 'v')
    return [
      {
        kind: 'unknown',
        calls: name,
        reason: `${name}() is volatile, and is not known to only read`,
      },
    ];
  if (isBuiltIn) return [];
  if (returnsNothing)
    return [{ kind: 'unknown', calls: name, reason: `${name}() returns nothing but what it does` }];
  return mayRunText ? [{ kind: 'execute', reason: `${name}() takes a text that it may run` }] : [];
}
