/** A filter operator of the API, with its labels on the page. */
export interface Operator {
  readonly name: string;
  readonly sign: string;
  readonly meaning: string;
}

export const operators: readonly Operator[] = [
  { name: 'eq', sign: '=', meaning: 'is' },
  { name: 'ne', sign: '≠', meaning: 'is not' },
  { name: 'gt', sign: '>', meaning: 'is more than' },
  { name: 'gte', sign: '≥', meaning: 'is at least' },
  { name: 'lt', sign: '<', meaning: 'is less than' },
  { name: 'lte', sign: '≤', meaning: 'is at most' },
  { name: 'contains', sign: 'contains', meaning: 'contains' },
  { name: 'starts', sign: 'starts with', meaning: 'starts with' },
  { name: 'ends', sign: 'ends with', meaning: 'ends with' },
  { name: 'like', sign: 'like', meaning: "is like (the database's LIKE)" },
  { name: 'ilike', sign: 'like, any case', meaning: 'is like, whatever the case' },
  { name: 'in', sign: 'is one of', meaning: 'is one of' },
  { name: 'nin', sign: 'is none of', meaning: 'is none of' },
  { name: 'null', sign: 'is NULL', meaning: 'is NULL' },
];

export function operatorSign(name: string): string {
  return operators.find((operator) => operator.name === name)?.sign ?? name;
}
