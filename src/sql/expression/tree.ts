/** A SQL expression, independent of any dialect. */
export type Expression =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** The digits as written. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly hex: string }
  | { readonly kind: 'bits'; readonly digits: string }
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
  | {
      readonly kind: 'unary';
      readonly operator: '-' | '+' | 'not';
      readonly operand: Expression;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'in';
      readonly operand: Expression;
      readonly list: readonly Expression[];
      readonly not: boolean;
    }
  | {
      readonly kind: 'between';
      readonly operand: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly not: boolean;
    }
  | { readonly kind: 'isNull'; readonly operand: Expression; readonly not: boolean }
  | {
      readonly kind: 'case';
      readonly subject?: Expression;
      readonly branches: readonly CaseBranch[];
      readonly otherwise?: Expression;
    }
  | ({ readonly kind: 'cast'; readonly operand: Expression } & CastType)
  | { readonly kind: 'array'; readonly items: readonly Expression[] };

export interface CastType {
  /** The type name in lower case, without sizes. */
  readonly type: string;
  readonly isSized: boolean;
}

export interface CaseBranch {
  readonly when: Expression;
  readonly result: Expression;
}

export type BinaryOperator =
  | 'or'
  | 'and'
  | Comparison
  | 'like'
  | 'not like'
  | 'concat'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Functions that all dialects have, under various names. */
export type FunctionName =
  | 'now'
  | 'today'
  | 'timeOfDay'
  | 'uuid'
  | 'lower'
  | 'upper'
  | 'trim'
  | 'ltrim'
  | 'rtrim'
  | 'characters'
  /** Without trailing blanks. */
  | 'trimmedCharacters'
  | 'substring'
  | 'replace'
  | 'abs'
  | 'round'
  | 'floor'
  | 'ceiling'
  | 'coalesce'
  | 'nullif';

export const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);
