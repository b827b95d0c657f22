/** CREATE VIEW and CREATE MATERIALIZED VIEW, from PostgreSQL's tree. */
import { textBetween } from '../../../sql/ddl/cursor.ts';
import { emptyTable, nameOfTable } from '../../../sql/ddl/draft.ts';
import { leaveOut } from '../../../sql/ddl/read-script.ts';
import { relationOf, stringsOf } from './tree-names.ts';
import { unreadClauses } from './unread-clauses.ts';
import type { CreateTableAsStmt, DefElem, Node, ViewStmt } from 'libpg-query';
import type { Table } from '../../../model/schema.ts';
import type { TableReference } from '../../../sql/ddl/draft.ts';
import type { ParsedStatement } from '../language/parse-statement.ts';
import type { StatementReading } from './statement-reading.ts';

export function createView(tree: ViewStmt, reading: StatementReading): boolean {
  const { state, draft, parsed, statement } = reading;
  const reference = relationOf(tree.view, state.namespaces);
  if (tree.view?.relpersistence === 't') {
    leaveOut(statement, draft, `the temporary view ${nameOfTable(reference)}`);
    return true;
  }
  const hasCheck = tree.withCheckOption !== 'NO_CHECK_OPTION';
  const select = selectText(parsed, hasCheck ? checkOptionLength(parsed) : 0);
  const options = optionsOf(tree, reading, nameOfTable(reference));
  const isRecursive = parsed.cursor.code.slice(0, recursiveUntil).some(isRecursiveWord);
  addView(reading, {
    reference,
    kind: 'view',
    definition: isRecursive
      ? recursive(reference.localName, select, tree.aliases)
      : withColumns(select, tree.aliases),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  });
  return true;
}

/** CREATE OR REPLACE RECURSIVE VIEW */
const recursiveUntil = 4;

function isRecursiveWord({ word }: ParsedStatement['cursor']['code'][number]): boolean {
  return word === 'RECURSIVE';
}

const checkOptions: Readonly<Record<string, string>> = {
  LOCAL_CHECK_OPTION: 'local',
  CASCADED_CHECK_OPTION: 'cascaded',
};

const flags: ReadonlySet<string> = new Set(['security_barrier', 'security_invoker']);

/** As `createView` of the dialect writes them again; the others are named. */
function optionsOf(
  tree: ViewStmt,
  { statement, draft }: StatementReading,
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
    else leaveOut(statement, draft, `${defname} of the view ${view}`);
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

function addView({ draft, statement, parsed }: StatementReading, made: View): void {
  const { reference, ...view } = made;
  const name = nameOfTable(reference);
  for (const clause of unreadClauses(parsed.node))
    leaveOut(statement, draft, `${clause} of the view ${name}`);
  draft.views.set(name, { ...emptyTable(reference), ...view });
}

/** What follows the first AS outside parentheses. */
function selectText({ cursor }: ParsedStatement, tokensBehind: number): string {
  let depth = 0;
  const as = cursor.code.findIndex(({ word }) => {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    return word === 'AS' && depth === 0;
  });
  return textBetween(cursor, as + 1, cursor.code.length - tokensBehind);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
}

/** Names that the view gives its columns are put around its query. */
function withColumns(select: string, aliases: readonly Node[] | undefined): string {
  const names = stringsOf(aliases);
  return names.length === 0 ? select : `SELECT * FROM (\n${select}\n) AS view (${quoted(names)})`;
}

/** A recursive view reads itself by its own name. */
function recursive(name: string, select: string, aliases: readonly Node[] | undefined): string {
  const view = quoted([name]);
  return `WITH RECURSIVE ${view} (${quoted(stringsOf(aliases))}) AS (\n${select}\n)\nSELECT * FROM ${view}`;
}

export function createFromQuery(
  tree: CreateTableAsStmt,
  reading: StatementReading,
): boolean | 'data' {
  const { state, parsed } = reading;
  if (tree.objtype !== 'OBJECT_MATVIEW') return 'data';
  const { code } = parsed.cursor;
  const withData = code.at(-1)?.word === 'DATA' ? (code.at(-2)?.word === 'NO' ? 3 : 2) : 0;
  addView(reading, {
    reference: relationOf(tree.into?.rel, state.namespaces),
    kind: 'materialized_view',
    definition: withColumns(selectText(parsed, withData), tree.into?.colNames),
  });
  return true;
}
