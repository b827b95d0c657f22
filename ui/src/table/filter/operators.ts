import { conditionTexts as texts } from '../../texts/table.ts';

/** A condition that a filter can have, with its labels on the page. */
export interface Condition {
  /** Unique among the conditions. */
  readonly id: string;
  /** The operator of the API. */
  readonly operator: string;
  readonly symbol: string;
  readonly meaning: string;
  /** What the condition compares with: a value, a list of values, or the value that belongs to the condition. */
  readonly takes: 'value' | 'list' | { readonly fixed: string };
}

function comparison(operator: string, symbol: string, meaning: string): Condition {
  return { id: operator, operator, symbol, meaning, takes: 'value' };
}

export const conditions: readonly Condition[] = [
  comparison('eq', '=', texts.eq),
  comparison('ne', '≠', texts.ne),
  comparison('gt', '>', texts.gt),
  comparison('gte', '≥', texts.gte),
  comparison('lt', '<', texts.lt),
  comparison('lte', '≤', texts.lte),
  comparison('contains', texts.contains, texts.contains),
  comparison('starts', texts.starts, texts.starts),
  comparison('ends', texts.ends, texts.ends),
  comparison('like', texts.likeChip, texts.like),
  comparison('ilike', texts.ilikeChip, texts.ilike),
  { ...comparison('in', texts.in, texts.in), takes: 'list' },
  { ...comparison('nin', texts.nin, texts.nin), takes: 'list' },
  { ...comparison('null', texts.null, texts.null), takes: { fixed: 'true' } },
  { ...comparison('null', texts.notNull, texts.notNull), id: 'nnull', takes: { fixed: 'false' } },
];

/** Finds the condition of a filter. Undefined for an operator that the page does not know. */
export function conditionOf(filter: {
  readonly operator: string;
  readonly value: string;
}): Condition | undefined {
  const isNotNull = filter.operator === 'null' && /^(false|0)$/.test(filter.value);
  return conditions.find(({ id }) => id === (isNotNull ? 'nnull' : filter.operator));
}
