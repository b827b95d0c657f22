import { columnsByName } from './expression/infer.ts';
import { defaultValue } from './expression/default-value.ts';
import { fitLiteral } from './expression/fit-literal.ts';
import { parseExpression } from './expression/parse.ts';
import { renderExpression } from './expression/render-expression.ts';
import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { Column, ColumnType } from '../model/schema.ts';
import type { ExpressionUse } from './expression/render-expression.ts';
import type { ExpressionSyntax } from './expression/syntax.ts';
import type { Expression } from './expression/tree.ts';

export type { ExpressionSyntax } from './expression/syntax.ts';
export type { ExpressionUse } from './expression/render-expression.ts';

export interface TranslateOptions {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
  readonly use: ExpressionUse;
  /** For a default: the type of its column, and the types of the target. */
  readonly type?: ColumnType;
  readonly ddl?: DdlDialect;
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
    parsed !== undefined && options.use === 'default' ? columnDefault(parsed, options) : parsed;
  if (expression === undefined) return undefined;
  return renderExpression(expression, { ...options, columns: columnsByName(options.columns) });
}

/** The default as its column stores it in both databases; undefined if one of them changes or rejects it. */
function columnDefault(parsed: Expression, options: TranslateOptions): Expression | undefined {
  const { type, ddl } = options;
  if (type === undefined) return parsed;
  const value = defaultValue(parsed, type, options);
  return value === undefined || ddl === undefined
    ? value
    : fitLiteral(value, type, { ...options, ddl });
}
