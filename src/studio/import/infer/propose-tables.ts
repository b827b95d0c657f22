/** The tables that a file's rows are to be imported into, if the import creates them. */
import { typeOf } from './column-type.ts';
import { isKeyName } from './key-names.ts';
import { createSqlNamer } from './sql-names.ts';
import type { CellFormat } from '../../../portable/cells/cell-format.ts';
import type { DdlDialect } from '../../../model/ddl-dialect.ts';
import type { Column, ColumnType, Table } from '../../../model/schema.ts';
import type { ColumnSurvey, TableSurvey } from './survey-file.ts';

/** A table in neutral terms, and where its values are in the file. */
export interface ProposedTable {
  readonly table: Table;
  /** The name of the table in the file. */
  readonly source: string;
  /** For each column, the name of the file's column; undefined for a column that the file does not have. */
  readonly sources: readonly (string | undefined)[];
}

export interface ProposalOptions {
  readonly ddl: DdlDialect;
  /** The name of the table, if the request has one. */
  readonly table: string | undefined;
  /** The name of a table whose sheet has no name. Undefined if the request calls sheets by their names. */
  readonly fileName: string | undefined;
  readonly format: Pick<
    CellFormat,
    'decimal' | 'isDecimalRequested' | 'dateOrder' | 'hasUnclearPoints'
  >;
  /** Names of columns, by those of the file; undefined for columns to leave out. */
  readonly mapping: ReadonlyMap<string, string | undefined>;
}

export function proposeTables(
  surveys: readonly TableSurvey[],
  options: ProposalOptions,
): readonly ProposedTable[] {
  const nameOf = createSqlNamer(options.ddl.nameLimit, []);
  return surveys.flatMap((survey) => {
    const isUnnamed = surveys.length === 1 && unnamedSheet.test(survey.source);
    const source = isUnnamed ? options.fileName : undefined;
    const name = options.table ?? nameOf(source ?? survey.source, 'imported');
    const proposed = proposeTable(survey, name, options);
    return proposed.table.columns.length === 0 ? [] : [proposed];
  });
}

/** The names that spreadsheet programs give to the first sheet, in several languages. */
const unnamedSheet =
  /^(?:Sheet|Tabelle|Feuille?|Hoja|Foglio|Planilha|Folha|Blad|Ark|Arkusz|List|Munka|Taulukko|Лист|Аркуш|Sayfa|工作表|シート|시트) ?1$|^Sheet$/i;

type SourceColumn = readonly [source: string, survey: ColumnSurvey];

function proposeTable(survey: TableSurvey, name: string, options: ProposalOptions): ProposedTable {
  const { ddl, format, mapping } = options;
  const sources = [...survey.columns].filter(
    ([source, column]) =>
      !(mapping.has(source) && mapping.get(source) === undefined) && isColumn(column),
  );
  const key = sources.find((column) => column === findKey(survey, sources, ddl));
  const nameOf = createSqlNamer(ddl.nameLimit);
  const columns = sources.map((source, i) => {
    const column = proposeColumn(source, { rows: survey.rows, isKey: source === key, format, ddl });
    const columnName = mapping.get(source[0]) ?? nameOf(source[0], `column_${i + 1}`);
    const comment = columnName === source[0] || !source[1].isNamed ? {} : commentOf(source[0]);
    return { name: columnName, ...column, ...comment };
  });
  const keyColumn = key && columns[sources.indexOf(key)];
  return {
    table: {
      ...tableNames(name, ddl),
      kind: 'table',
      columns,
      ...(keyColumn && { primaryKey: { columns: [keyColumn.name] } }),
      indexes: [],
      foreignKeys: [],
      checks: [],
      ...(options.table === undefined && name !== survey.source && !unnamedSheet.test(survey.source)
        ? commentOf(survey.source)
        : {}),
    },
    source: survey.source,
    sources: sources.map(([source]) => source),
  };
}

/** No database stores NUL or half of a surrogate pair in a comment. */
function commentOf(name: string): { readonly comment?: string } {
  return name.includes('\0') || !name.isWellFormed() ? {} : { comment: name };
}

/** A delimiter at the end of each line makes a column without name or values. */
function isColumn({ isNamed, profile }: ColumnSurvey): boolean {
  return isNamed || profile.count > 0;
}

/** `sales.orders` is in a namespace, where the database has them. */
function tableNames(
  name: string,
  ddl: DdlDialect,
): Pick<Table, 'name' | 'localName' | 'namespace'> {
  const dot = name.indexOf('.');
  const namespace = name.slice(0, Math.max(0, dot));
  const localName = name.slice(dot + 1);
  const isQualified =
    namespace !== '' && localName !== '' && ddl.createNamespace(namespace) !== undefined;
  return isQualified ? { name, localName, namespace } : { name, localName: name };
}

interface ColumnContext {
  readonly rows: number;
  readonly isKey: boolean;
  readonly format: ProposalOptions['format'];
  readonly ddl: DdlDialect;
}

function proposeColumn(
  [, { profile, emptyTexts, length }]: SourceColumn,
  { rows, isKey, format, ddl }: ColumnContext,
): Omit<Column, 'name'> {
  const type = typeOf(profile, format, ddl);
  const values = profile.count + (type.kind === 'text' ? emptyTexts : 0);
  return {
    type: isKey ? keyType(type, length) : type,
    nativeType: '',
    nullable: !isKey && (rows === 0 || values < rows),
  };
}

/** Keys get more rows later, so their integers have at least 32 bits, and their texts a usual limit. */
function keyType(type: ColumnType, length: number): ColumnType {
  if (type.kind === 'integer' && type.bits < 32) return { ...type, bits: 32 };
  return type.kind === 'text' ? { kind: 'text', length: Math.max(64, length) } : type;
}

/** A column named like a key, or the first one if it has numbers or UUIDs. */
function findKey(
  { source }: TableSurvey,
  columns: readonly SourceColumn[],
  ddl: DdlDialect,
): SourceColumn | undefined {
  const longest = ddl.maxKeyTextLength(1) ?? Infinity;
  const candidates = columns.filter(([, column]) => column.isKey && column.length <= longest);
  const [first] = candidates;
  const isId = ([name]: SourceColumn): boolean => name.toLowerCase() === 'id';
  const isNamedKey = ([name]: SourceColumn): boolean => isKeyName(name, source);
  const isNumbered = (column: SourceColumn): boolean =>
    column === columns[0] && column[1].profile.kind !== 'text';
  return (
    candidates.find(isId) ??
    candidates.find(isNamedKey) ??
    (first !== undefined && isNumbered(first) ? first : undefined)
  );
}
