/** Finds the names and effects in the parse tree of a statement. */
import { addMentions, mentionName, mentionsOfBody, noMentions } from './mentions.ts';
import type { BodyLanguage } from './body-commands.ts';
import type { StatementEffect } from '../../../model/database.ts';
import type { Mentions } from './mentions.ts';

type Tree = Readonly<Record<string, unknown>>;

/** `statements` are the parse trees of a text. */
export function mentionsOfTrees(statements: readonly unknown[]): Mentions {
  const mentions = noMentions();
  for (const statement of statements) visit(statement, mentions);
  return mentions;
}

/** EXPLAIN without ANALYZE does not run the statement, but the planner evaluates constant calls. */
function visitExplain(tree: Tree, mentions: Mentions): void {
  const inner = noMentions();
  visit(tree['query'], inner);
  const isRun = listOf(tree['options']).some(isAnalyze);
  addMentions(mentions, {
    ...inner,
    effects: isRun ? inner.effects : inner.effects.filter(happensWithoutRun),
  });
}

const kindsOfConstantCalls: ReadonlySet<string> = new Set(['external', 'execute', 'unknown']);

function happensWithoutRun({ kind }: StatementEffect): boolean {
  return kindsOfConstantCalls.has(kind);
}

function isAnalyze(option: unknown): boolean {
  const element = field(option, 'DefElem');
  const value = JSON.stringify(field(element, 'arg') ?? '');
  return (
    field(element, 'defname') === 'analyze' && !/"(?:false|off)"|"ival":0|\{\}\}$/i.test(value)
  );
}

function visit(value: unknown, mentions: Mentions): void {
  if (Array.isArray(value)) for (const item of value) visit(item, mentions);
  if (!isTree(value)) return;
  if (typeof value['relname'] === 'string') mentions.relations.add(value['relname']);
  for (const [key, inner] of Object.entries(value)) visitField(key, inner, mentions);
}

function visitField(key: string, inner: unknown, mentions: Mentions): void {
  const kind = kindsOfNodes[key];
  if (kind !== undefined)
    mentions.effects.push({ kind, reason: `${key.replace(/Stmt$/, '')} ${reasons[kind]}` });
  const special = Object.hasOwn(visitors, key) ? visitors[key] : undefined;
  if (special !== undefined && isTree(inner)) special(inner, mentions);
  else visit(inner, mentions);
}

/** Nodes with a handler of their own. */
const visitors: Readonly<Record<string, (tree: Tree, mentions: Mentions) => void>> = {
  String: (tree, mentions) => mentionName(mentions, String(tree['sval'])),
  // A column name alone calls no function.
  ColumnRef: (tree, mentions) => {
    for (const name of textsIn(listOf(tree['fields']).slice(1))) mentions.attributes.add(name);
  },
  // These statements do not run the objects that they name.
  DropStmt: () => {},
  CommentStmt: () => {},
  GrantStmt: () => {},
  GrantRoleStmt: () => {},
  ExplainStmt: visitExplain,
  InsertStmt: visitWrite,
  UpdateStmt: visitWrite,
  DeleteStmt: visitWrite,
  MergeStmt: visitWrite,
  CreateFunctionStmt: visitFunction,
  CreateExtensionStmt: ({ extname }, mentions) => {
    if (!harmlessExtensions.has(String(extname)))
      mentions.effects.push({
        kind: 'external',
        reason: `The extension ${String(extname)} may reach files, programs or the network`,
      });
  },
  CopyStmt: (tree, mentions) => {
    if (typeof tree['filename'] === 'string' || tree['is_program'] === true)
      mentions.effects.push(external('COPY'));
    visit(tree['relation'], mentions);
    visit(tree['query'], mentions);
  },
  AlterTableStmt: (tree, mentions) => {
    if (
      tree['objtype'] === 'OBJECT_FOREIGN_TABLE' ||
      JSON.stringify(tree).includes('GenericOptions')
    )
      mentions.effects.push(external('ALTER FOREIGN TABLE'));
    for (const part of Object.values(tree)) visit(part, mentions);
  },
  VariableSetStmt: visitSetting,
  setstmt: visitSetting,
};

/** Extensions whose functions are harmless, or are checked by name when they are called. */
const harmlessExtensions: ReadonlySet<string> = new Set(
  `bloom bool_plperl btree_gin btree_gist citext cube dict_int dict_xsyn earthdistance fuzzystrmatch
  hstore hstore_plperl intagg intarray isn jsonb_plperl lo ltree pageinspect pg_buffercache
  pg_freespacemap pg_stat_statements pg_trgm pg_visibility pgcrypto pgrowlocks pgstattuple plperl
  plpgsql pltcl postgis postgis_raster postgis_topology seg sslinfo tablefunc tcn timescaledb
  tsm_system_rows tsm_system_time unaccent uuid-ossp vector xml2`.split(/\s+/),
);

/** Some settings of roles and databases are names of libraries and programs that the next session loads. */
function visitSetting(tree: Tree, mentions: Mentions): void {
  const name = String(tree['name']).toLowerCase();
  if (/librar|_path$|_command$/.test(name) && name !== 'search_path')
    mentions.effects.push(external(`SET ${name}`));
}

function visitWrite(tree: Tree, mentions: Mentions): void {
  const target = field(tree['relation'], 'relname');
  if (typeof target === 'string') mentions.written.add(target);
  for (const part of Object.values(tree)) visit(part, mentions);
}

/** Only SQL and PL/pgSQL bodies can be parsed. Their names are added to those of the statement. */
function visitFunction(tree: Tree, mentions: Mentions): void {
  for (const part of [tree['parameters'], tree['returnType'], tree['sql_body']])
    visit(part, mentions);
  const options = new Map(
    listOf(tree['options']).map((option) => {
      const element = field(option, 'DefElem');
      return [String(field(element, 'defname')), field(element, 'arg')];
    }),
  );
  visit({ set: options.get('set'), support: options.get('support') }, mentions);
  const language = textsIn(options.get('language'))[0] ?? 'sql';
  const body = textsIn(options.get('as'));
  if (['sql', 'plpgsql'].includes(language.toLowerCase())) {
    for (const text of body) addMentions(mentions, definedBody(text, language.toLowerCase() === 'plpgsql' ? 'plpgsql' : 'sql')); // prettier-ignore
    return;
  }
  mentions.effects.push({
    kind: 'external',
    reason: `A function in the language ${language} may reach files, programs or the network`,
  });
}

/** Other effects of a body occur when it is called, not when it is created. */
function definedBody(text: string, language: BodyLanguage): Mentions {
  const body = mentionsOfBody(text, language);
  return { ...body, effects: body.effects.filter(({ kind }) => kind === 'external') };
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isTree(value)) return [];
  const text = field(value['String'], 'sval');
  return typeof text === 'string' ? [text] : Object.values(value).flatMap(textsIn);
}

function external(subject: string): StatementEffect {
  return { kind: 'external', reason: `${subject} accesses files, programs or the network` };
}

const reasons: Readonly<Record<string, string>> = {
  write: 'changes or locks rows',
  ddl: 'changes the structure',
  execute: 'runs code that the text does not show',
  external: 'accesses files, programs or the network',
};

function nodes(
  kind: StatementEffect['kind'],
  names: string,
): Record<string, StatementEffect['kind']> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** Effects of statement nodes at any depth of the tree. */
const kindsOfNodes: Readonly<Record<string, StatementEffect['kind'] | undefined>> = Object.assign(
  Object.create(null) as Record<string, StatementEffect['kind']>,
  nodes('write', 'InsertStmt UpdateStmt DeleteStmt MergeStmt LockingClause'),
  nodes('ddl', 'intoClause'),
  nodes('execute', 'DoStmt CallStmt ExecuteStmt PrepareStmt'),
  nodes(
    'external',
    'CreatePLangStmt CreateAmStmt CreateFdwStmt AlterFdwStmt CreateForeignServerStmt AlterForeignServerStmt CreateForeignTableStmt CreateUserMappingStmt AlterUserMappingStmt ImportForeignSchemaStmt CreateSubscriptionStmt AlterSubscriptionStmt DropSubscriptionStmt CreateTableSpaceStmt AlterTableSpaceOptionsStmt AlterSystemStmt LoadStmt',
  ),
);

function field(value: unknown, key: string): unknown {
  return isTree(value) ? value[key] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
