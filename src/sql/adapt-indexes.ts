import { isLonger } from './adapt-types.ts';
import type { Column, Index, IndexPart, Table } from '../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** The table with those of its indexes that the database can have. */
export function adaptIndexes(table: Table, adaptation: Adaptation): Table {
  const indexes = table.indexes.flatMap((index) => {
    const adapted = adaptIndex(index, { ...adaptation, table, name: nameOf(index) });
    return adapted === undefined ? [] : [adapted];
  });
  return { ...table, indexes };
}

function nameOf({ name, unique, parts }: Index): string {
  const columns = parts.map(({ column, expression }) => column ?? expression).join(', ');
  return `${unique ? 'the unique index' : 'the index'} ${name || `(${columns})`}`;
}

interface IndexAdaptation extends Adaptation {
  readonly table: Table;
  /** As messages call it. */
  readonly name: string;
}

type Step = (index: Index, adaptation: IndexAdaptation) => Index | undefined;

/** Each gives the index changed, or undefined once it has said why there is none. */
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

function leaveOut({ warn, table, name }: IndexAdaptation, why: string): undefined {
  warn(`${table.name}: ${name} is left out: ${why}.`);
}

function tell({ warn, table, name }: IndexAdaptation, what: string): void {
  warn(`${table.name}: ${name} ${what}.`);
}

/** Full text, gin and their like mean nothing elsewhere, and a plain index in their place may refuse rows. */
function withoutMethod(index: Index, adaptation: IndexAdaptation): Index | undefined {
  const { method, ...rest } = index;
  if (method === undefined || method === 'btree') return rest;
  if (method === 'hash') {
    tell(adaptation, 'is no hash any more: the database gives it its usual kind');
    return rest;
  }
  return leaveOut(adaptation, `its method ${method} is its own database's`);
}

/** An index of beginnings is one of the whole elsewhere, which is not as unique. */
function withoutPrefixes(index: Index, adaptation: IndexAdaptation): Index {
  const hasPrefix = index.parts.some(({ prefixLength }) => prefixLength !== undefined);
  if (adaptation.ddl.indexes.prefixes || !hasPrefix) return index;
  const isOfBeginnings = 'it looks at beginnings only';
  if (index.unique) tell(adaptation, `is not unique any more: ${isOfBeginnings}`);
  else tell(adaptation, `is of whole texts: in its own database ${isOfBeginnings}`);
  const parts = index.parts.map(({ prefixLength: _length, ...part }) => part);
  return { ...index, parts, unique: false };
}

function withoutPredicate(index: Index, adaptation: IndexAdaptation): Index | undefined {
  const { where, ...rest } = index;
  if (where === undefined || adaptation.ddl.indexes.partial) return index;
  if (index.unique) return leaveOut(adaptation, 'the database has no index of some rows only');
  tell(adaptation, 'is of all rows: the database has none of some rows only');
  return rest;
}

function withoutExpressions(index: Index, adaptation: IndexAdaptation): Index | undefined {
  const hasColumns = index.parts.every(({ column }) => column !== undefined);
  if (adaptation.ddl.indexes.expressions || hasColumns) return index;
  return leaveOut(adaptation, 'the database has none of expressions');
}

function indexableParts(index: Index, adaptation: IndexAdaptation): Index | undefined {
  const parts: IndexPart[] = [];
  for (const part of index.parts) {
    const column = adaptation.table.columns.find(({ name }) => name === part.column);
    const fitted = column === undefined ? part : fitPart({ part, column, index }, adaptation);
    if (fitted === undefined)
      return leaveOut(adaptation, `the database has none of ${column?.name ?? ''}`);
    parts.push(fitted);
  }
  return { ...index, parts };
}

interface PlacedPart {
  readonly part: IndexPart;
  readonly column: Column;
  readonly index: Index;
}

function fitPart({ part, column, index }: PlacedPart, { ddl }: Adaptation): IndexPart | undefined {
  const { type } = column;
  const { parts, unique } = index;
  if (!ddl.isIndexable(type)) return undefined;
  const longest = ddl.maxKeyTextLength(parts.length);
  if (longest === undefined || part.prefixLength !== undefined || !isLonger(type, longest))
    return part;
  return ddl.indexes.prefixes && !unique ? { ...part, prefixLength: longest } : undefined;
}

/** Order and classes of texts are each database's own. */
function withoutExtras(index: Index, adaptation: IndexAdaptation): Index {
  const { indexes } = adaptation.ddl;
  const { included = [], nullsNotDistinct, ...rest } = index;
  const hasOwnOrder = index.parts.some(
    ({ collation, operatorClass }) => collation !== undefined || operatorClass !== undefined,
  );
  if (hasOwnOrder) tell(adaptation, "has the database's usual order");
  if (included.length > 0 && !indexes.included)
    tell(adaptation, `carries no ${included.join(', ')}`);
  const keepsNulls =
    nullsNotDistinct === true && (indexes.nullsNotDistinct || indexes.nullsAreEqual);
  if (nullsNotDistinct === true && !keepsNulls) tell(adaptation, 'takes NULL more than once');
  return {
    ...rest,
    parts: index.parts.map(({ collation: _collation, operatorClass: _class, ...part }) => part),
    ...(included.length > 0 && indexes.included ? { included } : {}),
    ...(keepsNulls ? { nullsNotDistinct } : {}),
  };
}
