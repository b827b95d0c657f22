/**
 * Compares structures before and after a translation to another database, as facts that only differ if a feature
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

/** The subject of a fact, and the words that a warning about its loss contains. */
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

type What = keyof typeof words;

interface Fact {
  /** The column, index or key of the fact. */
  readonly of: string;
  readonly what: What;
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
    const made = after.tables.find(({ name }) => name === table.name);
    if (made === undefined) losses.push(`${table.name} is not there`);
    else
      losses.push(
        ...differences(table, made)
          .filter((loss) => !hasWarning(loss, warnings))
          .map(lossText),
      );
  }
  return losses;
}

interface Loss extends Fact {
  readonly now: string;
}

const lossText = ({ of, what, value, now }: Loss): string =>
  `${of}: ${what} was ${value}, is ${now}`;

function hasWarning({ of, what }: Loss, warnings: readonly string[]): boolean {
  const allCommentsAreLost =
    what === 'comment' && warnings.some((text) => /\d+ comments? .*left out/.test(text));
  const column = of.replace(/_i$/, '');
  const about = warnings.filter((text) => new RegExp(`\\b(?:${of}|${column})\\b`).test(text));
  return (
    allCommentsAreLost ||
    about.some((text) => words[what].test(text) || /\bis left out\b/.test(text))
  );
}

function differences(before: Table, after: Table): readonly Loss[] {
  const [one, two] = [factsOf(before), factsOf(after)];
  const idOf = ({ of, what }: Fact): string => `${of} ${what}`;
  const now = new Map(two.map((fact) => [idOf(fact), fact.value]));
  const known = new Set(one.map(idOf));
  return [
    ...one.flatMap((fact) => {
      const value = now.get(idOf(fact)) ?? byDefault;
      return value === fact.value ? [] : [{ ...fact, now: value }];
    }),
    ...two
      .filter((fact) => !known.has(idOf(fact)) && fact.value !== byDefault)
      .map((fact) => ({ ...fact, value: byDefault, now: fact.value })),
  ];
}

/** The value of a fact that is as by default: no comment, no check, no collation. */
const byDefault = '-';

function factsOf(table: Table): readonly Fact[] {
  return [
    { of: table.name, what: 'key', value: table.primaryKey?.columns.join() ?? byDefault },
    {
      of: table.name,
      what: 'null',
      value: table.nullableKey === true ? 'allowed in the key' : byDefault,
    },
    { of: table.name, what: 'comment', value: table.comment ?? byDefault },
    ...table.columns.flatMap((column) => columnFacts(column, table)),
    ...table.indexes
      .filter((index) => !isOfForeignKey(index, table))
      .flatMap((index) => indexFacts(index)),
    ...table.foreignKeys.flatMap(keyFacts),
    ...table.checks
      .map(({ expression }) => /\w+_f\d+/.exec(expression)?.[0] ?? '')
      .filter((column) => labelsOf(table, column) === byDefault && !isJson(table, column))
      .map((of): Fact => ({ of, what: 'check', value: 'there' })),
  ];
}

const isJson = ({ columns }: Table, of: string): boolean =>
  columns.some(({ name, type }) => name === of && type.kind === 'json');

function columnFacts(column: Column, table: Table): readonly Fact[] {
  const { name, type, generated } = column;
  const values: Partial<Record<What, string>> = {
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
  return factsFrom(name === 'id' || name === 'k' ? `${table.name}.${name}` : name, values);
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

function indexFacts(index: Index): readonly Fact[] {
  const { parts } = index;
  const named = parts.map(({ column, expression }) => column ?? /\w+_f\d+/.exec(expression ?? '')?.[0]); // prettier-ignore
  const order = parts.map(({ collation = '', operatorClass = '', prefixLength = '', descending }) =>
    [collation, operatorClass, prefixLength, descending === true ? 'desc' : ''].join(' ').trim(),
  );
  const values: Partial<Record<What, string>> = {
    key: `${index.unique ? 'unique ' : ''}index`,
    order: order.join() || byDefault,
    method: index.method ?? byDefault,
    where: index.where === undefined ? byDefault : 'there',
    included: index.included?.join() ?? byDefault,
    nulls: index.nullsNotDistinct === true ? 'not distinct' : byDefault,
    used: index.invisible === true ? 'no' : byDefault,
    comment: index.comment ?? byDefault,
  };
  return factsFrom(`${named.join('_')}_i`, values);
}

/** RESTRICT and NO ACTION are equal unless the constraint is deferred. */
function keyFacts({ columns, onUpdate, onDelete, deferrable }: ForeignKey): readonly Fact[] {
  const defaultActions: readonly ForeignKeyAction[] = ['no action', 'restrict'];
  const actions = [onUpdate, onDelete].map((action) => (defaultActions.includes(action) ? byDefault : action)); // prettier-ignore
  return factsFrom(columns.join(), {
    key: 'foreign key',
    actions: actions.join(),
    deferrable: deferrable ?? byDefault,
  });
}

function factsFrom(of: string, values: Partial<Record<What, string>>): readonly Fact[] {
  return Object.entries(values).map(([what, value]) => ({ of, what: what as What, value }));
}
