/** Reads CREATE VIEW and CREATE MATERIALIZED VIEW from the parse tree. */
import { textBetween } from '../../../sql/ddl/cursor.ts';
import { emptyTable, nameOfTable } from '../../../sql/ddl/draft.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { membersNamed, relationOf, stringsOf } from './tree-names.ts';
import { unsupportedClauses } from './unsupported-clauses.ts';
import type { CreateTableAsStmt, DefElem, Node, RangeVar, ViewStmt } from 'libpg-query';
import type { Table } from '../../../model/schema.ts';
import type { TableReference } from '../../../sql/ddl/draft.ts';
import type { ParsedStatement } from '../language/parse-statement.ts';
import type { StatementContext } from './statement-context.ts';

export function createView(tree: ViewStmt, context: StatementContext): boolean {
  const { state, draft, parsed, statement } = context;
  const reference = relationOf(tree.view, state.namespaces);
  if (tree.view?.relpersistence === 't') {
    warnOmitted(statement, draft, `the temporary view ${nameOfTable(reference)}`);
    return true;
  }
  const hasCheck = tree.withCheckOption !== 'NO_CHECK_OPTION';
  const select = selectText(context, tree.query, hasCheck ? checkOptionLength(parsed) : 0);
  const options = optionsOf(tree, context, nameOfTable(reference));
  const isRecursive = parsed.cursor.code.slice(0, recursiveUntil).some(isRecursiveWord);
  addView(context, {
    reference,
    kind: 'view',
    definition: isRecursive
      ? recursive(reference.localName, select, tree.aliases)
      : withColumns(select, tree.aliases),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  });
  return true;
}

/** RECURSIVE is among the first words: CREATE OR REPLACE RECURSIVE VIEW. */
const recursiveUntil = 4;

function isRecursiveWord({ word }: ParsedStatement['cursor']['code'][number]): boolean {
  return word === 'RECURSIVE';
}

const checkOptions: Readonly<Record<string, string>> = {
  LOCAL_CHECK_OPTION: 'local',
  CASCADED_CHECK_OPTION: 'cascaded',
};

const flags: ReadonlySet<string> = new Set(['security_barrier', 'security_invoker']);

/** The options that the dialect's `createView` supports. Warns of the others. */
function optionsOf(
  tree: ViewStmt,
  { statement, draft }: StatementContext,
  view: string,
): Record<string, string> {
  const options: Record<string, string> = {};
  const check = checkOptions[tree.withCheckOption ?? ''];
  if (check !== undefined) options['check_option'] = check;
  for (const node of tree.options ?? []) {
    if (!('DefElem' in node)) continue;
    const { defname = '' } = node.DefElem;
    const value = valueOf(node.DefElem);
    const isChecked = defname === 'check_option' && /^(?:local|cascaded)$/.test(value);
    if (flags.has(defname)) options[defname] = /^(?:true|on|yes|1)$/.test(value) ? 'true' : 'false';
    else if (isChecked) options[defname] = value;
    else warnOmitted(statement, draft, `${defname} of the view ${view}`);
  }
  return options;
}

function valueOf({ arg }: DefElem): string {
  if (arg === undefined) return 'true';
  if ('String' in arg) return (arg.String.sval ?? '').toLowerCase();
  if ('Integer' in arg) return String(arg.Integer.ival ?? 0);
  const name = 'TypeName' in arg ? stringsOf(arg.TypeName.names).at(-1) : undefined;
  return (name ?? '').toLowerCase();
}

/** WITH [CASCADED | LOCAL] CHECK OPTION */
function checkOptionLength({ cursor: { code } }: ParsedStatement): number {
  return code.at(-3)?.word === 'WITH' ? 3 : 4;
}

interface View extends Pick<Table, 'options'> {
  readonly reference: TableReference;
  readonly kind: 'view' | 'materialized_view';
  readonly definition: string;
}

function addView({ draft, statement, parsed }: StatementContext, createdView: View): void {
  const { reference, ...view } = createdView;
  const name = nameOfTable(reference);
  for (const clause of unsupportedClauses(parsed.node))
    warnOmitted(statement, draft, `${clause} of the view ${name}`);
  draft.views.set(name, { ...emptyTable(reference), ...view });
}

/** The text after the first AS outside parentheses, with the relations of the file qualified. */
function selectText(
  context: StatementContext,
  query: Node | undefined,
  tokensAfter: number,
): string {
  const { cursor } = context.parsed;
  let depth = 0;
  const as = cursor.code.findIndex(({ word }) => {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    return word === 'AS' && depth === 0;
  });
  const until = cursor.code.length - tokensAfter;
  const start = cursor.code[as + 1]?.start ?? 0;
  const starts = unqualifiedIn(query, context).map((token) => cursor.code[token]!.start - start);
  const text = textBetween(cursor, as + 1, until);
  const namespace = quoted([context.state.namespaces.current]);
  return starts
    .toSorted((a, b) => b - a)
    .reduce((changed, at) => `${changed.slice(0, at)}${namespace}.${changed.slice(at)}`, text);
}

/**
 * The tokens that name relations of the file's current namespace without it. The view is created in a
 * session with another search path. Names that the query itself defines are not relations.
 */
function unqualifiedIn(
  query: Node | undefined,
  { state: { namespaces }, draft, parsed }: StatementContext,
): readonly number[] {
  if (namespaces.current === namespaces.home) return [];
  const own = new Set(membersNamed('ctename', query).map(String));
  return (membersNamed('RangeVar', query) as readonly RangeVar[]).flatMap((range) => {
    const { schemaname, relname = '', location } = range;
    if (schemaname !== undefined || own.has(relname)) return [];
    const name = nameOfTable(relationOf(range, namespaces));
    return draft.tables.has(name) || draft.views.has(name) ? parsed.tokenAt(location) : [];
  });
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
}

/** A column list of the view becomes an alias list around its query. */
function withColumns(select: string, aliases: readonly Node[] | undefined): string {
  const names = stringsOf(aliases);
  return names.length === 0 ? select : `SELECT * FROM (\n${select}\n) AS view (${quoted(names)})`;
}

/** A recursive view becomes WITH RECURSIVE, in which it refers to itself by name. */
function recursive(name: string, select: string, aliases: readonly Node[] | undefined): string {
  const view = quoted([name]);
  return `WITH RECURSIVE ${view} (${quoted(stringsOf(aliases))}) AS (\n${select}\n)\nSELECT * FROM ${view}`;
}

export function createFromQuery(
  tree: CreateTableAsStmt,
  context: StatementContext,
): boolean | 'data' {
  const { state, parsed } = context;
  if (tree.objtype !== 'OBJECT_MATVIEW') return 'data';
  const { code } = parsed.cursor;
  const withData = code.at(-1)?.word === 'DATA' ? (code.at(-2)?.word === 'NO' ? 3 : 2) : 0;
  addView(context, {
    reference: relationOf(tree.into?.rel, state.namespaces),
    kind: 'materialized_view',
    definition: withColumns(selectText(context, tree.query, withData), tree.into?.colNames),
  });
  return true;
}
