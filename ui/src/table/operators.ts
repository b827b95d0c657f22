/** A condition that a filter can have, with its labels on the page. */
export interface Condition {
  /** Unique among the conditions. */
  readonly id: string;
  /** The operator of the API. */
  readonly operator: string;
  readonly sign: string;
  readonly meaning: string;
  /** What the condition compares with: a value, a list of values, or what the condition itself says. */
  readonly takes: 'value' | 'list' | { readonly fixed: string };
}

function comparison(operator: string, sign: string, meaning: string): Condition {
  return { id: operator, operator, sign, meaning, takes: 'value' };
}

export const conditions: readonly Condition[] = [
  comparison('eq', '=', 'is'),
  comparison('ne', '≠', 'is not'),
  comparison('gt', '>', 'is more than'),
  comparison('gte', '≥', 'is at least'),
  comparison('lt', '<', 'is less than'),
  comparison('lte', '≤', 'is at most'),
  comparison('contains', 'contains', 'contains'),
  comparison('starts', 'starts with', 'starts with'),
  comparison('ends', 'ends with', 'ends with'),
  comparison('like', 'like', "is like (the database's LIKE)"),
  comparison('ilike', 'like, any case', 'is like, whatever the case'),
  { ...comparison('in', 'is one of', 'is one of'), takes: 'list' },
  { ...comparison('nin', 'is none of', 'is none of'), takes: 'list' },
  { ...comparison('null', 'is NULL', 'is NULL'), takes: { fixed: 'true' } },
  { ...comparison('null', 'is not NULL', 'is not NULL'), id: 'nnull', takes: { fixed: 'false' } },
];

/** Finds the condition of a filter. Undefined for an operator that the page does not know. */
export function conditionOf(filter: {
  readonly operator: string;
  readonly value: string;
}): Condition | undefined {
  const isNotNull = filter.operator === 'null' && /^(false|0)$/.test(filter.value);
  return conditions.find(({ id }) => id === (isNotNull ? 'nnull' : filter.operator));
}
