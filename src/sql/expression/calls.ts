import type { FunctionName } from './tree.ts';

/** Templates of function calls; `%` stands for the arguments. */
export type CallTemplates = Readonly<Record<FunctionName, string | undefined>>;

/** The minimum and maximum number of arguments with the same meaning in every dialect. */
const arities: Readonly<Record<FunctionName, readonly [number, number]>> = {
  now: [0, 0],
  today: [0, 0],
  timeOfDay: [0, 0],
  uuid: [0, 0],
  lower: [1, 1],
  upper: [1, 1],
  trim: [1, 1],
  ltrim: [1, 1],
  rtrim: [1, 1],
  characters: [1, 1],
  trimmedCharacters: [1, 1],
  substring: [3, 3],
  replace: [3, 3],
  abs: [1, 1],
  round: [2, 2],
  floor: [1, 1],
  ceiling: [1, 1],
  coalesce: [2, 100],
  nullif: [2, 2],
};

/** Implements `ExpressionSyntax.call` by a table of templates. */
export function callFromTemplates(
  templates: CallTemplates,
): (name: FunctionName, args: readonly string[]) => string | undefined {
  return (name, args) => {
    const [minCount, maxCount] = arities[name];
    if (args.length < minCount || args.length > maxCount) return undefined;
    return templates[name]?.replace('%', () => args.join(', '));
  };
}

/** Functions with the same name in every dialect, in lower case. */
export const commonFunctions: Readonly<Record<string, FunctionName>> = {
  lower: 'lower',
  upper: 'upper',
  ltrim: 'ltrim',
  rtrim: 'rtrim',
  replace: 'replace',
  abs: 'abs',
  round: 'round',
  floor: 'floor',
  ceiling: 'ceiling',
  substring: 'substring',
  coalesce: 'coalesce',
  nullif: 'nullif',
};

export const commonTemplates: CallTemplates = {
  now: 'CURRENT_TIMESTAMP',
  today: 'CURRENT_DATE',
  timeOfDay: 'CURRENT_TIME',
  uuid: undefined,
  lower: 'lower(%)',
  upper: 'upper(%)',
  trim: 'trim(%)',
  ltrim: 'ltrim(%)',
  rtrim: 'rtrim(%)',
  characters: 'length(%)',
  trimmedCharacters: 'length(rtrim(%))',
  substring: 'substring(%)',
  replace: 'replace(%)',
  abs: 'abs(%)',
  round: 'round(%)',
  floor: 'floor(%)',
  ceiling: 'ceiling(%)',
  coalesce: 'coalesce(%)',
  nullif: 'nullif(%)',
};
