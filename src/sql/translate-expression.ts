import { columnsByName } from './expression/infer.ts';
import { defaultValue } from './expression/default-value.ts';
import { parseExpression } from './expression/parse.ts';
import { renderExpression } from './expression/render-expression.ts';
import type { Column, ColumnType } from '../model/schema.ts';
import type { ExpressionUse } from './expression/render-expression.ts';
import type { ExpressionSyntax } from './expression/syntax.ts';

export type { ExpressionSyntax } from './expression/syntax.ts';
export type { ExpressionUse } from './expression/render-expression.ts';

export interface TranslateOptions {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
  readonly use: ExpressionUse;
  /** For a default: the type of its column. */
  readonly type?: ColumnType;
  /** The columns of the table that the expression belongs to. */
  readonly columns: readonly Column[];
}

/**
 * Translates an expression from one dialect to another; undefined if its meaning would change.
 * Defaults are returned in the neutral form that `DdlDialect.neutralDefault` expects.
 */
export function translateExpression(text: string, options: TranslateOptions): string | undefined {
  const parsed = parseExpression(text, options.from);
  const expression =
    parsed !== undefined && options.use === 'default' && options.type !== undefined
      ? defaultValue(parsed, options.type, options)
      : parsed;
  if (expression === undefined) return undefined;
  return renderExpression(expression, { ...options, columns: columnsByName(options.columns) });
}
