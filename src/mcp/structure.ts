/** The structure of the database, as tools describe it to a language model: complete, in few words. */
import { ApiError } from './studio-api.ts';
import type { StudioApi } from './studio-api.ts';

export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly kind: string;
  readonly is_nullable: boolean;
  readonly is_primary_key: boolean;
  readonly is_generated: boolean;
  readonly default_value: string;
  readonly comment: string;
  readonly enum_values?: readonly string[];
  readonly references?: { readonly table: string; readonly column: string };
}

/** The columns of a key are in `foreign_keys` and `reference_keys` if there are several. */
export interface RelationInfo {
  readonly name: string;
  readonly type: 'has_one' | 'has_many' | 'belongs_to' | 'many_to_many';
  readonly table: string;
  readonly foreign_key: string;
  readonly reference_key: string;
  readonly foreign_keys?: readonly string[];
  readonly reference_keys?: readonly string[];
  readonly join_table?: string;
  readonly join_foreign_key?: string;
  readonly join_reference_key?: string;
  readonly join_foreign_keys?: readonly string[];
  readonly join_reference_keys?: readonly string[];
  readonly polymorphic_type?: string;
}

interface IndexInfo {
  readonly name: string;
  readonly is_unique: boolean;
  readonly parts: readonly { readonly column?: string; readonly expression?: string }[];
}

/** A table or view of the schema response, with the members that tools use. */
export interface TableInfo {
  readonly name: string;
  readonly kind: string;
  readonly comment: string;
  readonly row_count: number | null;
  readonly row_count_exact?: false;
  readonly row_key: readonly string[];
  readonly columns: readonly ColumnInfo[];
  readonly relations: readonly RelationInfo[];
  readonly indexes: readonly IndexInfo[];
  readonly checks: readonly { readonly expression: string }[];
}

export interface StructureInfo {
  readonly driver: string;
  readonly server_version: string;
  readonly tables: readonly TableInfo[];
}

/** Tables first, then views. */
export async function readStructure(api: StudioApi): Promise<StructureInfo> {
  const { json } = await api.request({ path: ['schema'] });
  const { driver, server_version, tables, views } = json as unknown as StructureInfo & {
    readonly views: readonly TableInfo[];
  };
  return { driver, server_version, tables: [...tables, ...views] };
}

/** The table or view of exactly this name. Masks depend on it, so a name in another form is rejected. */
export function tableNamed(tables: readonly TableInfo[], name: string): TableInfo {
  const table = tables.find((each) => each.name === name);
  if (table === undefined)
    throw new ApiError(
      `There is no table "${name}": search_schema lists the names.`,
      'table_not_found',
    );
  return table;
}

/** `orders (1,200 rows): id, user_id, status`. */
export function tableLine(table: TableInfo): string {
  const kind = table.kind === 'table' ? '' : `${table.kind.replace('_', ' ')}, `;
  const columns = table.columns.map(({ name }) => name).join(', ');
  return `${table.name} (${kind}${rowCount(table)}): ${columns}`;
}

function rowCount({ row_count, row_count_exact }: TableInfo): string {
  if (row_count === null) return 'rows not counted';
  const rows = row_count.toLocaleString('en-US');
  return `${row_count_exact === false ? 'about ' : ''}${rows} ${row_count === 1 ? 'row' : 'rows'}`;
}

/** A line each for the table, its columns, its indexes, its checks and its relations. */
export function tableText(table: TableInfo): string {
  const { name, comment, row_key, columns, indexes, checks, relations } = table;
  const lines = [
    `${name} (${table.kind.replace('_', ' ')}, ${rowCount(table)})${comment === '' ? '' : `: ${comment}`}`,
    row_key.length === 0
      ? 'No key: rows cannot be addressed by values.'
      : `Key: ${row_key.join(', ')}`,
    'Columns:',
    ...columns.map((column) => `- ${columnText(column)}`),
    ...section('Indexes:', indexes.map(indexText)),
    ...section(
      'Checks:',
      checks.map(({ expression }) => expression),
    ),
    ...section(
      'Relations:',
      relations.map((relation) => `${relation.name}: ${relation.type} ${relation.table}`),
    ),
  ];
  return lines.join('\n');
}

function section(title: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [title, ...entries.map((entry) => `- ${entry}`)];
}

function columnText(column: ColumnInfo): string {
  const { name, type, references, default_value, enum_values, comment } = column;
  const parts = [
    `${name} ${type}`.trimEnd(),
    ...(column.is_primary_key ? ['primary key'] : []),
    ...(column.is_nullable ? [] : ['not null']),
    ...(column.is_generated ? ['generated'] : []),
    ...(default_value === '' ? [] : [`default ${default_value}`]),
    ...(references === undefined ? [] : [`references ${references.table}.${references.column}`]),
    ...(enum_values === undefined ? [] : [`one of ${enum_values.join(', ')}`]),
    ...(comment === '' ? [] : [comment]),
  ];
  return parts.join('; ');
}

function indexText({ name, is_unique, parts }: IndexInfo): string {
  const columns = parts.map(({ column, expression = '' }) => column ?? expression).join(', ');
  return `${name}${is_unique ? ' (unique)' : ''} on ${columns}`;
}

/** The tables that contain every word of the query in their name, comment or columns; best matches first. */
export function findTables(tables: readonly TableInfo[], query: string): readonly TableInfo[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = tables.map((table) => ({ table, score: scoreOf(table, words) }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ table }) => table);
}

/** 0 if a word is missing; a word in the name of the table counts more than one in a column. */
function scoreOf({ name, comment, columns }: TableInfo, words: readonly string[]): number {
  const title = name.toLowerCase();
  const rest = [comment, ...columns.flatMap((column) => [column.name, column.comment])]
    .join('\n')
    .toLowerCase();
  const scores = words.map((word) => {
    if (title === word) return 4;
    if (title.includes(word)) return 2;
    return rest.includes(word) ? 1 : 0;
  });
  return scores.includes(0) ? 0 : scores.reduce((sum: number, score) => sum + score, 1);
}
