/** Translates a schema of one dialect so that `createSchema` can create it in another. */
import { caseSensitivityWarnings, columnKey, exactColumns } from './adapt/case-sensitivity.ts';
import { columnsByName } from './expression/infer.ts';
import { inferType } from './expression/infer-type.ts';
import { parseExpression } from './expression/parse.ts';
import { translateExpression } from './translate-expression.ts';
import { withUniqueNames } from './unique-names.ts';
import type { DdlDialect } from '../model/ddl-dialect.ts';
import type {
  Check,
  Column,
  ColumnType,
  Index,
  IndexPart,
  Schema,
  Table,
} from '../model/schema.ts';
import type { ExpressionSyntax, ExpressionUse } from './translate-expression.ts';

export interface SchemaTranslation {
  readonly schema: Schema;
  /** One sentence for each thing that could not be translated. */
  readonly warnings: readonly string[];
}

export interface TranslateSchemaOptions {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
  readonly ddl: DdlDialect;
}

/** Types stay neutral. Expressions are translated to the target dialect, or omitted with a warning. */
export function translateSchema(
  schema: Schema,
  options: TranslateSchemaOptions,
): SchemaTranslation {
  const warnings: string[] = [];
  const exact = exactColumns(schema, options);
  const tables = schema.tables.map((table) => {
    const translator: Translator = { ...options, table, warnings };
    return inNamespace(
      withExactCollation(translateTable(translator), exact, options.ddl),
      options.ddl,
    );
  });
  warnings.push(
    ...schema.views.map(
      ({ name }) => `The view ${name} is left out: it is written for another database.`,
    ),
  );
  warnings.push(...caseSensitivityWarnings(schema, options));
  const uniquelyNamed = withUniqueNames(tables);
  return {
    schema: { ...schema, tables: uniquelyNamed.tables, views: [] },
    warnings: [...warnings, ...uniquelyNamed.warnings],
  };
}

interface Translator extends TranslateSchemaOptions {
  readonly table: Table;
  readonly warnings: string[];
}

function translateTable(translator: Translator): Table {
  const { table } = translator;
  const columns = table.columns.map((column) => translateColumn(column, translator));
  if (table.nullableKey === true)
    translator.warnings.push(`${table.name}: its primary key no longer accepts NULL.`);
  const checks = table.checks.flatMap((check) => translateCheck(check, translator));
  const indexes = table.indexes.flatMap((index) => translateIndex(index, translator));
  const { nullableKey: _own, rowIdColumn: _number, locators: _locators, ...rest } = table;
  return { ...rest, columns, checks, indexes };
}

function withExactCollation(
  table: Table,
  exact: ReadonlySet<string>,
  { exactCollation }: DdlDialect,
): Table {
  if (exactCollation === undefined) return table;
  const columns = table.columns.map((column) =>
    exact.has(columnKey(table, column)) ? { ...column, collation: exactCollation } : column,
  );
  return { ...table, columns };
}

/** Omits the default namespace. Where the target has no namespaces, their name becomes part of the table name. */
function inNamespace(table: Table, ddl: DdlDialect): Table {
  const { namespace, ...rest } = table;
  if (namespace === undefined || table.name === table.localName) return rest;
  return ddl.createNamespace(namespace) === undefined ? { ...rest, localName: table.name } : table;
}

// Columns

function translateColumn(column: Column, translator: Translator): Column {
  const {
    default: defaultText,
    generated,
    collation,
    invisible,
    onUpdate,
    numbering,
    ...others
  } = column;
  const { unversioned: _ofItsTable, ...rest } = others;
  const steps = numbering?.replace(/^AS \w+ ?/i, '') ?? '';
  if (steps !== '')
    translator.warnings.push(
      `${translator.table.name}.${column.name} starts at 1 in steps of 1: ${steps} is left out.`,
    );
  if (invisible === true)
    translator.warnings.push(
      `${translator.table.name}: the column ${column.name} becomes visible.`,
    );
  if (/\bzerofill\b/i.test(column.nativeType))
    translator.warnings.push(
      `${translator.table.name}: ${column.name} is no longer padded with zeros.`,
    );
  const isKey = translator.table.primaryKey?.columns.includes(column.name) === true;
  if (isRowVersion(column))
    translator.warnings.push(
      `${translator.table.name}: ${column.name} is no longer set by each change of its row (rowversion)${isKey ? '' : ', and may be NULL'}.`,
    );
  if (onUpdate !== undefined) warn(translator, `ON UPDATE ${onUpdate} of ${column.name}`);
  return {
    ...rest,
    // Scripts have no values of the column.
    ...(isRowVersion(column) && !isKey ? { nullable: true } : {}),
    ...(defaultText === undefined ? {} : translateDefault(column, defaultText, translator)),
    ...(generated === undefined
      ? {}
      : {
          ...typeOfGenerated(column, generated, translator),
          ...translateGenerated(column, generated, translator),
        }),
    ...(collation === undefined ? {} : dropCollation(column, collation, translator)),
  };
}

/** SQL Server numbers each change of a row in a column of this type. */
function isRowVersion({ type, nativeType }: Column): boolean {
  return type.kind === 'binary' && /^(?:timestamp|rowversion)$/i.test(nativeType);
}

/** An auto-increment column needs no default. */
function translateDefault(
  column: Column,
  defaultText: string,
  translator: Translator,
): Pick<Column, 'default'> {
  if (column.autoIncrement === true) return {};
  const translated = translate(defaultText, { use: 'default', type: column.type }, translator);
  if (translated === 'NULL') return {};
  if (translated !== undefined) return { default: translated };
  warn(translator, `the default of ${column.name}, ${excerpt(defaultText)},`);
  return {};
}

/** Of a generated column whose expression is left out: rows of scripts have no values of it. */
export const withoutExpression = { generatedInFile: true, nullable: true } as const;

function translateGenerated(
  column: Column,
  generated: NonNullable<Column['generated']>,
  translator: Translator,
): Partial<Pick<Column, 'generated' | 'generatedInFile' | 'nullable'>> {
  const expression = translate(generated.expression, { use: 'generated' }, translator);
  if (expression !== undefined) return { generated: { ...generated, expression } };
  warn(
    translator,
    `the expression of the generated column ${column.name}${column.nullable ? '' : ', which may now be NULL'}, ${excerpt(generated.expression)},`,
  );
  return withoutExpression;
}

/** A computed column may have no type in SQL Server and SQLite; other databases require one. */
function typeOfGenerated(
  column: Column,
  { expression }: NonNullable<Column['generated']>,
  { from, ddl, table, warnings }: Translator,
): Pick<Column, 'type'> {
  const { type } = column;
  if (type.kind !== 'untyped' || ddl.columnType(column) === '') return { type };
  const parsed = parseExpression(expression, from);
  const inferred = parsed && inferType(parsed, columnsByName(table.columns));
  if (inferred !== undefined) return { type: inferred };
  warnings.push(
    `${table.name}: the computed column ${column.name} becomes ${ddl.columnType(column)}, because the type of ${excerpt(expression)} is not known.`,
  );
  return { type };
}

function dropCollation(column: Column, collation: string, translator: Translator): object {
  warn(translator, `the collation ${collation} of ${column.name}`);
  return {};
}

// Checks and indexes

function translateCheck(check: Check, translator: Translator): readonly Check[] {
  if (isJsonTypeCheck(check, translator.table)) return [];
  if (check.enforced === false) {
    warn(translator, `the check ${excerpt(check.expression)}, which is not enforced,`);
    return [];
  }
  const expression = translate(check.expression, { use: 'check' }, translator);
  if (expression !== undefined) return [{ ...check, expression }];
  warn(translator, `the check ${excerpt(check.expression)}`);
  return [];
}

/** Databases without a JSON type check a text column with json_valid or ISJSON; the neutral type `json` replaces the check. */
function isJsonTypeCheck({ expression }: Check, { columns }: Table): boolean {
  const name =
    /^\(*(?:json_valid|isjson)\s*\(\s*[`"[]?([^`"\])]+)[`"\]]?\s*\)[\s=>(]*[01]?\)*$/i.exec(
      expression,
    )?.[1];
  return columns.some(
    (column) => column.type.kind === 'json' && column.name.toLowerCase() === name?.toLowerCase(),
  );
}

function translateIndex(index: Index, translator: Translator): readonly Index[] {
  const parts = index.parts.map((part) => translatePart(part, translator));
  const { where: predicate, invisible, ...rest } = index;
  if (invisible === true)
    translator.warnings.push(
      `${translator.table.name}: the index ${index.name} becomes visible to the optimizer.`,
    );
  const where =
    predicate === undefined ? undefined : translate(predicate, { use: 'predicate' }, translator);
  if (
    !parts.every((part) => part !== undefined) ||
    (predicate !== undefined && where === undefined)
  ) {
    warn(translator, `the index ${index.name} with its expression`);
    return [];
  }
  return [{ ...rest, parts, ...(where === undefined ? {} : { where }) }];
}

function translatePart(part: IndexPart, translator: Translator): IndexPart | undefined {
  if (part.expression === undefined) return part;
  const expression = translate(part.expression, { use: 'key' }, translator);
  return expression === undefined ? undefined : { ...part, expression };
}

// Text

interface ExpressionContext {
  readonly use: ExpressionUse;
  /** For a default: the type of its column. */
  readonly type?: ColumnType;
}

function translate(
  text: string,
  context: ExpressionContext,
  { from, to, ddl, table }: Translator,
): string | undefined {
  return translateExpression(text, { ...context, from, to, ddl, columns: table.columns });
}

function warn({ warnings, table }: Translator, omitted: string): void {
  warnings.push(`${table.name}: ${omitted} is left out: the database has no equivalent.`);
}

const maxShownLength = 80;

function excerpt(expression: string): string {
  const line = expression.replaceAll(/\s+/g, ' ');
  return line.length > maxShownLength ? `${line.slice(0, maxShownLength)}…` : line;
}
