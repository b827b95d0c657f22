import { isLonger } from './adapt-types.ts';
import type { Column, Index, IndexPart, Table } from '../../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** Adapts the table's indexes to the database and drops those it cannot have. */
export function adaptIndexes(table: Table, adaptation: Adaptation): Table {
  const indexes = table.indexes.flatMap((index) => {
    const adapted = adaptIndex(index, { ...adaptation, table, name: describeIndex(index) });
    return adapted === undefined ? [] : [adapted];
  });
  return { ...table, indexes };
}

function describeIndex({ name, unique, parts }: Index): string {
  const columns = parts.map(({ column, expression }) => column ?? expression).join(', ');
  return `${unique ? 'the unique index' : 'the index'} ${name || `(${columns})`}`;
}

interface IndexAdaptation extends Adaptation {
  readonly table: Table;
  /** The index as warnings name it. */
  readonly name: string;
}

type Step = (index: Index, adaptation: IndexAdaptation) => Index | undefined;

/** Each step returns the adapted index, or undefined after warning why it is dropped. */
const steps: readonly Step[] = [
  withoutMethod,
  withoutPrefixes,
  withoutPredicate,
  withoutExpressions,
  indexableParts,
  withoutExtras,
];

function adaptIndex(index: Index, adaptation: IndexAdaptation): Index | undefined {
  return steps.reduce<Index | undefined>(
    (adapted, step) => adapted && step(adapted, adaptation),
    index,
  );
}

function omitIndex({ warn, table, name }: IndexAdaptation, reason: string): undefined {
  warn(`${table.name}: ${name} is left out: ${reason}.`);
}

function warnAboutIndex({ warn, table, name }: IndexAdaptation, change: string): void {
  warn(`${table.name}: ${name} ${change}.`);
}

/** Methods such as FULLTEXT and gin exist in one database only. A btree index in their place may reject rows, for example long texts. */
function withoutMethod(index: Index, adaptation: IndexAdaptation): Index | undefined {
  const { method, ...rest } = index;
  if (method === undefined || method === 'btree') return rest;
  if (method === 'hash') {
    warnAboutIndex(
      adaptation,
      'becomes an index of the default method: the database has no hash indexes',
    );
    return rest;
  }
  return omitIndex(adaptation, `its method ${method} exists only in its source database`);
}

/** Without prefix lengths a unique index accepts rows that the original rejects, so it becomes an ordinary one. */
function withoutPrefixes(index: Index, adaptation: IndexAdaptation): Index {
  const hasPrefix = index.parts.some(({ prefixLength }) => prefixLength !== undefined);
  if (adaptation.ddl.indexSupport.prefixes || !hasPrefix) return index;
  const prefixReason = 'its source database indexes only the first characters';
  if (index.unique) warnAboutIndex(adaptation, `is no longer unique: ${prefixReason}`);
  else warnAboutIndex(adaptation, `covers whole texts: ${prefixReason}`);
  const parts = index.parts.map(({ prefixLength: _length, ...part }) => part);
  return { ...index, parts, unique: false };
}

function withoutPredicate(index: Index, adaptation: IndexAdaptation): Index | undefined {
  const { where, ...rest } = index;
  if (where === undefined || adaptation.ddl.indexSupport.partial) return index;
  if (index.unique) return omitIndex(adaptation, 'the database has no partial indexes');
  warnAboutIndex(adaptation, 'covers all rows: the database has no partial indexes');
  return rest;
}

function withoutExpressions(index: Index, adaptation: IndexAdaptation): Index | undefined {
  const hasColumns = index.parts.every(({ column }) => column !== undefined);
  if (adaptation.ddl.indexSupport.expressions || hasColumns) return index;
  return omitIndex(adaptation, 'the database has no indexes on expressions');
}

function indexableParts(index: Index, adaptation: IndexAdaptation): Index | undefined {
  const parts: IndexPart[] = [];
  for (const part of index.parts) {
    const column = adaptation.table.columns.find(({ name }) => name === part.column);
    const fitted = column === undefined ? part : fitPart({ part, column, index }, adaptation);
    if (fitted === undefined)
      return omitIndex(adaptation, `the database cannot index the column ${column?.name ?? ''}`);
    parts.push(fitted);
  }
  return { ...index, parts };
}

interface IndexPartContext {
  readonly part: IndexPart;
  readonly column: Column;
  readonly index: Index;
}

function fitPart(
  { part, column, index }: IndexPartContext,
  { ddl }: Adaptation,
): IndexPart | undefined {
  const { type } = column;
  const { parts, unique } = index;
  if (!ddl.isIndexable(type)) return undefined;
  const longest = ddl.maxKeyTextLength(parts.length);
  if (longest === undefined || part.prefixLength !== undefined || !isLonger(type, longest))
    return part;
  return ddl.indexSupport.prefixes && !unique ? { ...part, prefixLength: longest } : undefined;
}

/** Collations and operator classes are specific to each database. */
function withoutExtras(index: Index, adaptation: IndexAdaptation): Index {
  const { indexSupport: indexes } = adaptation.ddl;
  const { included = [], nullsNotDistinct, ...rest } = index;
  const hasOwnOrder = index.parts.some(
    ({ collation, operatorClass }) => collation !== undefined || operatorClass !== undefined,
  );
  if (hasOwnOrder) warnAboutIndex(adaptation, 'uses the default collation of the database');
  if (included.length > 0 && !indexes.included)
    warnAboutIndex(adaptation, `does not include the columns ${included.join(', ')}`);
  const keepsNulls =
    nullsNotDistinct === true && (indexes.nullsNotDistinct || indexes.nullsAreEqual);
  if (nullsNotDistinct === true && !keepsNulls)
    warnAboutIndex(adaptation, 'accepts NULL more than once');
  return {
    ...rest,
    parts: index.parts.map(({ collation: _collation, operatorClass: _class, ...part }) => part),
    ...(included.length > 0 && indexes.included ? { included } : {}),
    ...(keepsNulls ? { nullsNotDistinct } : {}),
  };
}
