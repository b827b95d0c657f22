import { encodeList } from '../../../src/contract/comma-list.ts';
import { client } from '../api/client.ts';
import { undefinedIfEmpty } from '../importing/import-choices.ts';
import { listOptions } from '../table/view-state.ts';
import type { ViewState } from '../table/view-state.ts';
import { exportedViews } from './export-choices.ts';
import type { ExportChoices } from './export-choices.ts';

/** The table on screen, with its filters, sort and columns. */
export interface ShownView {
  readonly table: string;
  readonly view: ViewState;
  /** The visible columns. Undefined if they are all columns in the table's own order. */
  readonly columns: readonly string[] | undefined;
}

export interface ExportSource {
  /** The names of all tables. */
  readonly names: readonly string[];
  readonly shown: ShownView | undefined;
  /** The id under which the server reports the progress of the download. */
  readonly transfer?: string;
}

/** Returns the URL of the exported file. */
export function exportAddress(choices: ExportChoices, source: ExportSource): string {
  const { content } = choices;
  const { names, shown, transfer } = source;
  if (content === 'view')
    return shown === undefined ? '' : viewAddress(choices, { ...source, shown });
  const tables = selectedTables(choices, names);
  if (content === 'data') {
    const query = { format: choices.dataFormat, tables, transfer, ...rowQuery(choices) };
    return client.address('GET /export/data', { query });
  }
  if (content === 'dump') {
    const query = { tables, transfer, dialect: undefinedIfEmpty(choices.dialect) };
    return client.address('GET /export/dump', { query });
  }
  if (content === 'models') {
    const { packageName, nulls, hasJsonTags } = choices;
    const query = { tables, package: undefinedIfEmpty(packageName), nulls, json: hasJsonTags };
    return client.address('GET /export/models', { query });
  }
  const query = content === 'schema' ? schemaQuery(choices) : diagramQuery(choices);
  return client.address('GET /export/schema', { query: { ...query, tables } });
}

interface ViewSource extends ExportSource {
  readonly shown: ShownView;
}

function viewAddress(choices: ExportChoices, { shown, transfer }: ViewSource): string {
  const { table, view, columns } = shown;
  const { query, filters = {} } = listOptions(view);
  const { sort_by, sort_order, search, any, show_deleted } = query ?? {};
  return client.address('GET /tables/:table/export', {
    params: { table },
    query: {
      format: choices.dataFormat,
      sort_by,
      sort_order,
      search,
      any,
      show_deleted,
      columns: columns !== undefined && choices.asShown ? commaSeparated(columns) : undefined,
      transfer,
      ...rowQuery(choices),
    },
    filters,
  });
}

function rowQuery(choices: ExportChoices) {
  const { dataFormat, dialect, guardsFormulas } = choices;
  const isSheet = dataFormat === 'csv' || dataFormat === 'xlsx';
  return {
    dialect: dataFormat === 'sql' ? undefinedIfEmpty(dialect) : undefined,
    formulas: isSheet && !guardsFormulas ? ('raw' as const) : undefined,
    ...(dataFormat === 'csv' ? csvQuery(choices) : {}),
  };
}

function csvQuery(choices: ExportChoices) {
  const { delimiter, hasByteOrderMark, nullText, dateForm, hasDecimalComma } = choices;
  return {
    delimiter: delimiter === 'comma' ? undefined : delimiter,
    bom: hasByteOrderMark ? true : undefined,
    null_text: undefinedIfEmpty(nullText),
    date_form: dateForm === '' ? undefined : dateForm,
    decimal: hasDecimalComma ? ('comma' as const) : undefined,
  };
}

function schemaQuery({ schemaFormat, dialect }: ExportChoices) {
  return {
    format: schemaFormat,
    dialect: schemaFormat === 'sql' ? undefinedIfEmpty(dialect) : undefined,
  };
}

function diagramQuery({ diagramFormat, columns, theme }: ExportChoices) {
  return { format: diagramFormat, columns, theme };
}

/** Returns the selected tables and views as one comma-separated parameter. Undefined for all tables and no view. */
function selectedTables(
  choices: ExportChoices,
  names: readonly string[],
): readonly string[] | undefined {
  const selected = names.filter((name) => !choices.omittedTables.has(name));
  const views = exportedViews(choices);
  if (selected.length === names.length && views.size === 0) return undefined;
  return commaSeparated([...selected, ...views]);
}

/** One value, because the client repeats the parameter for each item of a list. */
function commaSeparated(names: readonly string[]): readonly string[] {
  return [encodeList(names)];
}
