/** Formats the structure of a database for a terminal. */
import { gridText } from './table-text.ts';
import { printableText } from './terminal-text.ts';
import { rowCountText } from './tables.ts';

interface References {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The members of the response of GET schema that are printed. */
interface PrintedSchema {
  readonly tables: readonly PrintedTable[];
  readonly views: readonly PrintedTable[];
}

interface PrintedTable {
  readonly name: string;
  readonly kind: string;
  readonly comment: string;
  readonly primary_key: readonly string[];
  readonly columns: readonly PrintedColumn[];
  readonly indexes: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly is_unique: boolean;
    readonly where: string;
  }[];
  readonly foreign_keys: readonly {
    readonly columns: readonly string[];
    readonly references: References;
    readonly on_update: string;
    readonly on_delete: string;
  }[];
  readonly checks: readonly { readonly name: string; readonly expression: string }[];
  readonly row_count: number | null;
  readonly row_count_exact?: false;
}

interface PrintedColumn {
  readonly name: string;
  readonly type: string;
  readonly is_nullable: boolean;
  readonly default_value: string;
  readonly comment: string;
}

/** A grid of columns for each table and view, followed by its keys, indexes and checks. */
export function schemaText(json: string): string {
  const { tables, views } = JSON.parse(json) as PrintedSchema;
  const all = [...tables, ...views];
  return all.length === 0 ? 'There are no tables.\n' : `${all.map(textOfTable).join('\n\n')}\n`;
}

function textOfTable(table: PrintedTable): string {
  const { name, kind, comment } = table;
  const rows =
    kind === 'view' ? '' : `, ${rowCountText(table)} ${table.row_count === 1 ? 'row' : 'rows'}`;
  const note = comment === '' ? '' : `: ${comment}`;
  const title = `${name} (${kind.replace('_', ' ')}${rows})${note}`;
  return [printableText(title), columnGrid(table), ...detailsOf(table).map(printableText)].join(
    '\n',
  );
}

function columnGrid({ columns }: PrintedTable): string {
  const hasComments = columns.some(({ comment }) => comment !== '');
  const head = ['column', 'type', 'null', 'default', ...(hasComments ? ['comment'] : [])];
  const lines = columns.map(({ name, type, is_nullable, default_value, comment }) =>
    [name, type, is_nullable ? 'yes' : 'no', default_value, ...(hasComments ? [comment] : [])].map(
      printableText,
    ),
  );
  return gridText([head, ...lines]);
}

function detailsOf({ primary_key, indexes, foreign_keys, checks }: PrintedTable): string[] {
  return [
    ...(primary_key.length === 0 ? [] : [`primary key: ${primary_key.join(', ')}`]),
    ...foreign_keys.map(
      ({ columns, references, on_update, on_delete }) =>
        `foreign key: ${columns.join(', ')} references ${references.table} (${references.columns.join(', ')})` +
        actionText('update', on_update) +
        actionText('delete', on_delete),
    ),
    ...indexes.map(
      ({ name, columns, is_unique, where }) =>
        `${is_unique ? 'unique index' : 'index'}: ${name === '' ? '' : `${name} `}(${columns.join(', ')})${where === '' ? '' : ` where ${where}`}`,
    ),
    ...checks.map(
      ({ name, expression }) => `check: ${name === '' ? '' : `${name} `}(${expression})`,
    ),
  ];
}

function actionText(event: 'update' | 'delete', action: string): string {
  return action === '' || action === 'no action' ? '' : ` on ${event} ${action}`;
}
