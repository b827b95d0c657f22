/** Expresses indexes and checks as settings of field tags. */
import { canBeInTag } from './struct-tags.ts';
import type { ReportedTable } from '../go-field-dialect.ts';
import type { Check, Index, IndexPart, Table } from '../../model/schema.ts';
import type { TagSetting } from './struct-tags.ts';

export interface TableTags {
  /** Columns with a single-column unique constraint. */
  readonly unique: ReadonlySet<string>;
  /** By column name. */
  readonly settings: ReadonlyMap<string, readonly TagSetting[]>;
  /** One sentence for each index or check that a tag cannot express. */
  readonly notes: readonly string[];
}

interface FieldSetting {
  readonly column: string;
  readonly setting: TagSetting;
}

export function tableTags(table: Table, reportedTable: ReportedTable): TableTags {
  const settings = new Map(
    table.indexes.map(
      (index) => [index, index.unique ? reportedTable.uniqueSetting(index) : 'index'] as const,
    ),
  );
  const unique = table.indexes.filter((index) => settings.get(index) === 'unique');
  const indexes = table.indexes.filter((index) => settings.get(index) !== 'unique');
  const indexResults = indexes.map((index) => ({
    index,
    fieldSettings: indexSettings(table, index, settings.get(index)),
  }));
  const checks = checkSettings(table, reportedTable);
  const fieldSettings = [
    ...indexResults.flatMap((each) => each.fieldSettings ?? []),
    ...checks.fieldSettings,
  ];
  const byColumn = Map.groupBy(fieldSettings, ({ column }) => column);
  return {
    unique: new Set(unique.flatMap(({ parts }) => parts[0]?.column ?? [])),
    settings: new Map(
      [...byColumn].map(([column, ofColumn]) => [column, ofColumn.map(({ setting }) => setting)]),
    ),
    notes: [
      ...indexResults
        .filter((each) => each.fieldSettings === undefined)
        .map(({ index }) => indexNote(index)),
      ...checks.omitted.map((check) =>
        `GORM has no setting for the check ${check.name ?? ''} (${check.expression}).`.replace(
          '  ',
          ' ',
        ),
      ),
    ],
  };
}

function indexNote({ name, parts, constraint }: Index): string {
  const columns = parts.map(({ column, expression }) => column ?? expression ?? '').join(', ');
  const kind = constraint === true ? 'unique constraint' : 'index';
  return `GORM has no setting for the ${kind} ${name === '' ? '' : `${name} `}(${columns}).`;
}

/** Undefined for an index that no tag can express. */
function indexSettings(
  table: Table,
  index: Index,
  settingName: string | undefined,
): readonly FieldSetting[] | undefined {
  const fieldColumns = index.parts.map((part) => fieldColumnOf(table, part));
  const values = index.parts.map((part, i) => [index.name, ...optionsOf(index, part, i)].join(','));
  const isExpressible =
    index.name !== '' && !/[,;]/.test(index.name) && values.every(canBeInIndexTag);
  if (settingName === undefined || !isExpressible || fieldColumns.includes(undefined))
    return undefined;
  return values.map((value, i) => ({
    column: fieldColumns[i] ?? '',
    setting: [settingName, value],
  }));
}

/** GORM ignores escapes of `;` in index settings. */
function canBeInIndexTag(value: string): boolean {
  return !value.includes(';') && canBeInTag(value);
}

/** The setting of an expression belongs to the first column that the expression mentions, or else to the first column. */
function fieldColumnOf(
  { columns }: Table,
  { column, expression = '' }: IndexPart,
): string | undefined {
  if (column !== undefined) return columns.find(({ name }) => name === column)?.name;
  return (columns.find(({ name }) => mentions(expression, name)) ?? columns[0])?.name;
}

function mentions(expression: string, name: string): boolean {
  const words: readonly string[] = expression.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return words.includes(name.toLowerCase());
}

function optionsOf(index: Index, part: IndexPart, i: number): readonly string[] {
  const { column, expression, operatorClass } = part;
  const term =
    operatorClass === undefined ? expression : `${expression ?? column ?? ''} ${operatorClass}`;
  const kind = index.method?.toUpperCase();
  const isClass = kind === 'FULLTEXT' || kind === 'SPATIAL';
  return [
    ...option('expression', term),
    ...option('class', isClass ? kind : undefined),
    ...option('type', isClass ? undefined : index.method),
    ...option('length', part.prefixLength),
    ...option('collate', part.collation),
    ...option('sort', part.descending === true ? 'desc' : undefined),
    ...option('where', index.where),
    ...option('comment', index.comment),
    ...option('option', trailingClauses(index)),
    ...option('priority', index.parts.length > 1 ? i + 1 : undefined),
  ];
}

function option(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`${name}:${String(value).replaceAll(',', String.raw`\,`)}`];
}

function trailingClauses({ included = [], nullsNotDistinct }: Index): string | undefined {
  const words = [
    ...(included.length === 0 ? [] : [`INCLUDE (${included.join(', ')})`]),
    ...(nullsNotDistinct === true ? ['NULLS NOT DISTINCT'] : []),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

interface CheckSettings {
  readonly fieldSettings: readonly FieldSetting[];
  readonly omitted: readonly Check[];
}

/** A field can have one check: preferably one that names its column, or else one that is not assigned yet. */
function checkSettings({ columns, checks }: Table, reportedTable: ReportedTable): CheckSettings {
  const fieldSettings = new Map<string, TagSetting>();
  const omitted: Check[] = [];
  for (const check of checks) {
    const { name = '', expression } = check;
    const isExpressible =
      /^[\w-]+$/.test(name) && reportedTable.canFindConstraint(name) && canBeInTag(expression);
    const unassignedColumns = columns.filter((column) => !fieldSettings.has(column.name));
    const column =
      unassignedColumns.find((each) => mentions(expression, each.name)) ?? unassignedColumns[0];
    if (isExpressible && column !== undefined)
      fieldSettings.set(column.name, ['check', `${name},${expression}`]);
    else omitted.push(check);
  }
  return {
    fieldSettings: [...fieldSettings].map(([column, setting]) => ({ column, setting })),
    omitted,
  };
}
