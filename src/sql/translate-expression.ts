import { columnsByName } from './expression/infer.ts';
import { defaultValue } from './expression/default-value.ts';
import { parseExpression } from './expression/parse.ts';
import { spellExpression } from './expression/spell.ts';
import type { Column, ColumnType } from '../model/schema.ts';
import type { ExpressionUse } from './expression/spell.ts';
import type { ExpressionSyntax } from './expression/syntax.ts';

export type { ExpressionSyntax } from './expression/syntax.ts';
export type { ExpressionUse } from './expression/spell.ts';

export interface TranslateOptions {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
  readonly use: ExpressionUse;
  /** A default's own column type. */
  readonly type?: ColumnType;
  /** Of the table that the expression belongs to. */
  readonly columns: readonly Column[];
}

/**
 * An expression of one dialect in the words of another, with names quoted for it; undefined where it
 * cannot be said without a change of meaning. Defaults come as `DdlDialect.neutralDefault` takes them.
 */
export function translateExpression(text: string, options: TranslateOptions): string | undefined {
  const parsed = parseExpression(text, options.from);
  const expression =
    parsed !== undefined && options.use === 'default' && options.type !== undefined
      ? defaultValue(parsed, options.type)
      : parsed;
  if (expression === undefined) return undefined;
  return spellExpression(expression, { ...options, columns: columnsByName(options.columns) });
}
