/**
 * Compares structures before and after a translation to another database, by properties that only differ if a feature
 * was lost. The columns of the generated tables have names such as `t1_f3`.
 */
import type {
  Column,
  ColumnType,
  ForeignKey,
  ForeignKeyAction,
  Index,
  Schema,
  Table,
} from '../../../src/model/schema.ts';

/** The names of properties, and the words that a warning about their loss contains. */
const words = {
  unsigned: /unsigned|negative|type of/i,
  labels: /label/i,
  null: /NULL/,
  default: /default|virtual|generated|numbered/i,
  numbered: /number/i,
  always: /explicit numbers/,
  generated: /generated|stored/i,
  collation: /collation|case-|order/i,
  'on update': /ON UPDATE/,
  visible: /visible/,
  comment: /comment/,
  key: /key|index/i,
  order: /order|whole|first characters|default collation/,
  method: /hash|method|btree/i,
  where: /rows/,
  included: /include/,
  nulls: /NULL/,
  used: /visible to the optimizer/,
  actions: /SET DEFAULT|actions|RESTRICT/i,
  deferrable: /immediately/,
  check: /check/,
} as const;

type PropertyName = keyof typeof words;

interface Property {
  /** The column, index or key of the property. */
  readonly of: string;
  readonly property: PropertyName;
  readonly value: string;
}

/** Changes that no warning names, one sentence each. */
export function lossesWithoutWarning(
  before: Schema,
  after: Schema,
  warnings: readonly string[],
): readonly string[] {
  const losses: string[] = [];
  for (const table of before.tables) {
    const tableAfter = after.tables.find(({ name }) => name === table.name);
    if (tableAfter === undefined) losses.push(`${table.name} is not there`);
    else
      losses.push(
        ...differences(table, tableAfter)
          .filter((loss) => !hasWarning(loss, warnings))
          .map(lossText),
      );
  }
  return losses;
}

interface Loss extends Property {
  readonly now: string;
}

const lossText = ({ of, property, value, now }: Loss): string =>
  `${of}: ${property} was ${value}, is ${now}`;

function hasWarning({ of, property }: Loss, warnings: readonly string[]): boolean {
  const allCommentsAreLost =
    property === 'comment' && warnings.some((text) => /\d+ comments? .*left out/.test(text));
  const column = of.replace(/_i$/, '');
  const about = warnings.filter((text) => new RegExp(`\\b(?:${of}|${column})\\b`).test(text));
  return (
    allCommentsAreLost ||
    about.some((text) => words[property].test(text) || /\bis left out\b/.test(text))
  );
}

function differences(before: Table, after: Table): readonly Loss[] {
  const [one, two] = [propertiesOf(before), propertiesOf(after)];
  const idOf = ({ of, property }: Property): string => `${of} ${property}`;
  const now = new Map(two.map((found) => [idOf(found), found.value]));
  const knownIds = new Set(one.map(idOf));
  return [
    ...one.flatMap((found) => {
      const value = now.get(idOf(found)) ?? byDefault;
      return value === found.value ? [] : [{ ...found, now: value }];
    }),
    ...two
      .filter((found) => !knownIds.has(idOf(found)) && found.value !== byDefault)
      .map((found) => ({ ...found, value: byDefault, now: found.value })),
  ];
}

/** The value of a property that is as by default: no comment, no check, no collation. */
const byDefault = '-';

function propertiesOf(table: Table): readonly Property[] {
  return [
    { of: table.name, property: 'key', value: table.primaryKey?.columns.join() ?? byDefault },
    {
      of: table.name,
      property: 'null',
      value: table.nullableKey === true ? 'allowed in the key' : byDefault,
    },
    { of: table.name, property: 'comment', value: table.comment ?? byDefault },
    ...table.columns.flatMap((column) => columnProperties(column, table)),
    ...table.indexes
      .filter((index) => !isOfForeignKey(index, table))
      .flatMap((index) => indexProperties(index)),
    ...table.foreignKeys.flatMap(keyProperties),
    ...table.checks
      .map(({ expression }) => /\w+_f\d+/.exec(expression)?.[0] ?? '')
      .filter((column) => labelsOf(table, column) === byDefault && !isJson(table, column))
      .map((of): Property => ({ of, property: 'check', value: 'there' })),
  ];
}

const isJson = ({ columns }: Table, of: string): boolean =>
  columns.some(({ name, type }) => name === of && type.kind === 'json');

function columnProperties(column: Column, table: Table): readonly Property[] {
  const { name, type, generated } = column;
  const values: Partial<Record<PropertyName, string>> = {
    unsigned: type.kind === 'integer' && type.unsigned === true ? 'yes' : byDefault,
    labels: labelsOf(table, name),
    null: generated !== undefined || column.nullable || isOfKey(column, table) ? byDefault : 'no',
    default: column.default === undefined || column.autoIncrement || /^null$/i.test(column.default) ? byDefault : 'there', // prettier-ignore
    numbered: column.autoIncrement === true ? 'yes' : byDefault,
    always: column.identityAlways === true ? 'yes' : byDefault,
    generated: generated === undefined ? byDefault : generated.stored ? 'stored' : 'virtual',
    collation: type.kind === 'json' ? byDefault : (column.collation ?? byDefault),
    'on update': column.onUpdate === undefined ? byDefault : 'there',
    visible: column.invisible === true ? 'no' : byDefault,
    comment: column.comment ?? byDefault,
  };
  return propertiesFrom(name === 'id' || name === 'k' ? `${table.name}.${name}` : name, values);
}

const isOfKey = ({ name }: Column, { primaryKey }: Table): boolean =>
  primaryKey?.columns.includes(name) === true;

/** The values of an enum, a set, or a check that lists them. */
function labelsOf({ columns, checks }: Table, name: string): string {
  const type: ColumnType | undefined = columns.find((column) => column.name === name)?.type;
  if (type?.kind === 'enum' || type?.kind === 'set') return type.values.toSorted().join();
  const check = checks.find(({ expression }) => expression.includes(name) && /'/.test(expression));
  const texts = [...(check?.expression.matchAll(/'((?:[^']|'')*)'/g) ?? [])];
  return texts.length === 0 ? byDefault : texts.map(([, text]) => text!.replaceAll("''", "'")).toSorted().join(); // prettier-ignore
}

/** MySQL creates an index for each foreign key. */
function isOfForeignKey({ unique, parts }: Index, { foreignKeys }: Table): boolean {
  const columns = parts.map(({ column }) => column).join();
  return !unique && foreignKeys.some((key) => key.columns.join() === columns);
}

function indexProperties(index: Index): readonly Property[] {
  const { parts } = index;
  const partNames = parts.map(({ column, expression }) => column ?? /\w+_f\d+/.exec(expression ?? '')?.[0]); // prettier-ignore
  const order = parts.map(({ collation = '', operatorClass = '', prefixLength = '', descending }) =>
    [collation, operatorClass, prefixLength, descending === true ? 'desc' : ''].join(' ').trim(),
  );
  const values: Partial<Record<PropertyName, string>> = {
    key: `${index.unique ? 'unique ' : ''}index`,
    order: order.join() || byDefault,
    method: index.method ?? byDefault,
    where: index.where === undefined ? byDefault : 'there',
    included: index.included?.join() ?? byDefault,
    nulls: index.nullsNotDistinct === true ? 'not distinct' : byDefault,
    used: index.invisible === true ? 'no' : byDefault,
    comment: index.comment ?? byDefault,
  };
  return propertiesFrom(`${partNames.join('_')}_i`, values);
}

/** RESTRICT and NO ACTION are equal unless the constraint is deferred. */
function keyProperties({
  columns,
  onUpdate,
  onDelete,
  deferrable,
}: ForeignKey): readonly Property[] {
  const defaultActions: readonly ForeignKeyAction[] = ['no action', 'restrict'];
  const actions = [onUpdate, onDelete].map((action) => (defaultActions.includes(action) ? byDefault : action)); // prettier-ignore
  return propertiesFrom(columns.join(), {
    key: 'foreign key',
    actions: actions.join(),
    deferrable: deferrable ?? byDefault,
  });
}

function propertiesFrom(
  of: string,
  values: Partial<Record<PropertyName, string>>,
): readonly Property[] {
  return Object.entries(values).map(([property, value]) => ({
    of,
    property: property as PropertyName,
    value,
  }));
}
