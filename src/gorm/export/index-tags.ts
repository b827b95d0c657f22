/** Indexes and checks as settings of fields. */
import { survives } from './field-tags.ts';
import type { GoTableFacts } from '../go-field-dialect.ts';
import type { Check, Index, IndexPart, Table } from '../../model/schema.ts';
import type { TagSetting } from './field-tags.ts';

export interface TableTags {
  /** Columns with a unique constraint of their own. */
  readonly unique: ReadonlySet<string>;
  /** By column. */
  readonly settings: ReadonlyMap<string, readonly TagSetting[]>;
  /** What could not be said, a sentence each. */
  readonly notes: readonly string[];
}

interface Placed {
  readonly column: string;
  readonly setting: TagSetting;
}

export function tableTags(table: Table, facts: GoTableFacts): TableTags {
  const settings = new Map(
    table.indexes.map(
      (index) => [index, index.unique ? facts.uniqueSetting(index) : 'index'] as const,
    ),
  );
  const unique = table.indexes.filter((index) => settings.get(index) === 'unique');
  const others = table.indexes.filter((index) => settings.get(index) !== 'unique');
  const told = others.map((index) => ({
    index,
    placed: placeIndex(table, index, settings.get(index)),
  }));
  const checks = placeChecks(table, facts);
  const placed = [...told.flatMap((each) => each.placed ?? []), ...checks.placed];
  const byColumn = Map.groupBy(placed, ({ column }) => column);
  return {
    unique: new Set(unique.flatMap(({ parts }) => parts[0]?.column ?? [])),
    settings: new Map(
      [...byColumn].map(([column, of]) => [column, of.map(({ setting }) => setting)]),
    ),
    notes: [
      ...told.filter((each) => each.placed === undefined).map(({ index }) => indexNote(index)),
      ...checks.left.map((check) =>
        `GORM is not told of the check ${check.name ?? ''} (${check.expression}).`.replace(
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
  return `GORM is not told of the ${kind} ${name === '' ? '' : `${name} `}(${columns}).`;
}

/** Undefined for an index that no tag can tell. */
function placeIndex(
  table: Table,
  index: Index,
  word: string | undefined,
): readonly Placed[] | undefined {
  const places = index.parts.map((part) => placeOf(table, part));
  const values = index.parts.map((part, i) => [index.name, ...optionsOf(index, part, i)].join(','));
  const isTold = index.name !== '' && !/[,;]/.test(index.name) && values.every(isWhole);
  if (word === undefined || !isTold || places.includes(undefined)) return undefined;
  return values.map((value, i) => ({ column: places[i] ?? '', setting: [word, value] }));
}

/** Indexes are read without looking at escapes of `;`. */
function isWhole(value: string): boolean {
  return !value.includes(';') && survives(value);
}

/** An expression stands at the field of a column in it, or at the first. */
function placeOf({ columns }: Table, { column, expression = '' }: IndexPart): string | undefined {
  if (column !== undefined) return columns.find(({ name }) => name === column)?.name;
  return (columns.find(({ name }) => isIn(expression, name)) ?? columns[0])?.name;
}

function isIn(expression: string, name: string): boolean {
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
    ...option('option', wordsBehind(index)),
    ...option('priority', index.parts.length > 1 ? i + 1 : undefined),
  ];
}

function option(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`${name}:${String(value).replaceAll(',', String.raw`\,`)}`];
}

function wordsBehind({ included = [], nullsNotDistinct }: Index): string | undefined {
  const words = [
    ...(included.length === 0 ? [] : [`INCLUDE (${included.join(', ')})`]),
    ...(nullsNotDistinct === true ? ['NULLS NOT DISTINCT'] : []),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

interface PlacedChecks {
  readonly placed: readonly Placed[];
  readonly left: readonly Check[];
}

/** A field has one check: that which names its column, or else one that found no place. */
function placeChecks({ columns, checks }: Table, facts: GoTableFacts): PlacedChecks {
  const placed = new Map<string, TagSetting>();
  const left: Check[] = [];
  for (const check of checks) {
    const { name = '', expression } = check;
    const isTold = /^[\w-]+$/.test(name) && facts.findsConstraint(name) && survives(expression);
    const free = columns.filter((column) => !placed.has(column.name));
    const column = free.find((each) => isIn(expression, each.name)) ?? free[0];
    if (isTold && column !== undefined) placed.set(column.name, ['check', `${name},${expression}`]);
    else left.push(check);
  }
  return { placed: [...placed].map(([column, setting]) => ({ column, setting })), left };
}
