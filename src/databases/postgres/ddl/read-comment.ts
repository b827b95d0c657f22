/** Applies COMMENT and DROP to objects that the file creates, and warns of the others. */
import { changeColumn } from '../../../sql/ddl/change-table.ts';
import { changeTable, findTable, nameOfTable } from '../../../sql/ddl/draft.ts';
import { dropTable } from '../../../sql/ddl/read-script.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { listOf, referenceTo } from './tree-names.ts';
import type { CommentStmt, DropStmt } from 'libpg-query';
import type { Table } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { StatementContext } from './statement-context.ts';

type Comment = { readonly comment?: string };

export function readComment(tree: CommentStmt, context: StatementContext): boolean {
  const { objtype, object, comment: text } = tree;
  const set = text === undefined || text === '' ? {} : { comment: text };
  const path = listOf(object);
  const isSet = commentOn(objtype, { path, set, context });
  // An extension has a comment of its own, and so has the schema "public" of older servers.
  const isGiven = objtype === 'OBJECT_EXTENSION' || text === 'standard public schema';
  if (!isSet && !isGiven && set.comment !== undefined)
    warnOmitted(context.statement, context.draft);
  return true;
}

interface Commented {
  readonly path: readonly string[];
  readonly set: Comment;
  readonly context: StatementContext;
}

/** Returns whether the file creates the commented object. */
function commentOn(
  objtype: CommentStmt['objtype'],
  { path, set, context: { state, draft } }: Commented,
): boolean {
  const reference = referenceTo(path, state.namespaces);
  switch (objtype) {
    case 'OBJECT_TABLE':
      changeTable(draft, reference, (table) => withComment(table, set));
      return findTable(draft, reference) !== undefined;
    case 'OBJECT_COLUMN':
      return commentColumn(draft, referenceTo(path.slice(0, -1), state.namespaces), {
        name: path.at(-1) ?? '',
        set,
      });
    case 'OBJECT_TYPE':
      return commentEnum(path.at(-1) ?? '', set, { state, draft });
    case 'OBJECT_INDEX':
      return commentIndex(draft, path.at(-1) ?? '', set);
    case 'OBJECT_VIEW':
    case 'OBJECT_MATVIEW':
      return commentView(draft, nameOfTable(reference), set);
    default:
      return false;
  }
}

function withComment<T extends Comment>(target: T, set: Comment): T {
  const { comment: _old, ...rest } = target;
  return { ...rest, ...set } as T;
}

function commentColumn(
  draft: SchemaDraft,
  reference: TableReference,
  { name, set }: { readonly name: string; readonly set: Comment },
): boolean {
  const table = findTable(draft, reference);
  if (table?.columns.some((column) => column.name === name) !== true) return false;
  changeTable(draft, reference, (found) =>
    changeColumn(found, name, (column) => withComment(column, set)),
  );
  return true;
}

function commentEnum(
  name: string,
  set: Comment,
  { state, draft }: Pick<StatementContext, 'state' | 'draft'>,
): boolean {
  const type = state.types.enums.get(name);
  if (type === undefined) return false;
  const commented = withComment(type, set);
  state.types.enums.set(name, commented);
  draft.enums[draft.enums.indexOf(type)] = commented;
  return true;
}

function commentIndex(draft: SchemaDraft, name: string, set: Comment): boolean {
  const found = tableOfIndex(draft, name);
  if (found === undefined) return false;
  changeTable(draft, found, (table) => ({
    ...table,
    indexes: table.indexes.map((index) => (index.name === name ? withComment(index, set) : index)),
  }));
  return true;
}

function tableOfIndex(draft: SchemaDraft, name: string): Table | undefined {
  const isOf = ({ table }: { readonly table: Table }): boolean =>
    table.indexes.some((index) => index.name === name);
  return [...draft.tables.values()].find(isOf)?.table;
}

function commentView(draft: SchemaDraft, name: string, set: Comment): boolean {
  const view = draft.views.get(name);
  if (view === undefined) return false;
  draft.views.set(name, withComment(view, set));
  return true;
}

const relations: ReadonlySet<string> = new Set(['OBJECT_TABLE', 'OBJECT_VIEW', 'OBJECT_MATVIEW']);

export function readDrop(
  { removeType = 'OBJECT_TYPE', objects = [] }: DropStmt,
  context: StatementContext,
): boolean {
  const { state, draft, statement } = context;
  for (const object of objects) {
    const path = listOf(object);
    if (relations.has(removeType)) dropTable(draft, referenceTo(path, state.namespaces), statement);
    else if (removeType !== 'OBJECT_INDEX' || !dropIndex(draft, path.at(-1) ?? ''))
      warnOmitted(statement, draft);
  }
  return true;
}

function dropIndex(draft: SchemaDraft, name: string): boolean {
  const found = tableOfIndex(draft, name);
  if (found === undefined) return false;
  changeTable(draft, found, (table) => ({
    ...table,
    indexes: table.indexes.filter((index) => index.name !== name),
  }));
  return true;
}
