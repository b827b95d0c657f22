import { client } from '../api/client.ts';
import { listOptions } from '../table/view-state.ts';
import type { ViewState } from '../table/view-state.ts';
import type { ExportChoices } from './export-choices.ts';

/** The table that is looked at, and what of it. */
export interface ShownView {
  readonly table: string;
  readonly view: ViewState;
  /** Set where they are not all of the table's, in its order. */
  readonly columns: readonly string[] | undefined;
}

export interface ExportSource {
  /** All tables there are. */
  readonly names: readonly string[];
  readonly shown: ShownView | undefined;
  /** What the server is to call the download, where it can be followed. */
  readonly transfer?: string;
}

/** Where the browser finds the file. */
export function exportAddress(choices: ExportChoices, source: ExportSource): string {
  const { what } = choices;
  const { names, shown, transfer } = source;
  if (what === 'view') return shown === undefined ? '' : viewAddress(choices, { ...source, shown });
  const tables = chosenTables(choices, names);
  if (what === 'data') {
    const query = { format: choices.dataFormat, tables, transfer, ...rowQuery(choices) };
    return client.address('GET /export/data', { query });
  }
  if (what === 'models') {
    const { packageName, nulls, hasJsonTags } = choices;
    const query = { tables, package: told(packageName), nulls, json: hasJsonTags };
    return client.address('GET /export/models', { query });
  }
  const query = what === 'schema' ? schemaQuery(choices) : diagramQuery(choices);
  return client.address('GET /export/schema', { query: { ...query, tables } });
}

interface ViewSource extends ExportSource {
  readonly shown: ShownView;
}

function viewAddress(choices: ExportChoices, { shown, transfer }: ViewSource): string {
  const { table, view, columns } = shown;
  const { query, filters = {} } = listOptions(view);
  const { sort_by, sort_order, search, show_deleted } = query ?? {};
  return client.address('GET /tables/:table/export', {
    params: { table },
    query: {
      format: choices.dataFormat,
      sort_by,
      sort_order,
      search,
      show_deleted,
      columns: columns !== undefined && choices.asShown ? inOneText(columns) : undefined,
      transfer,
      ...rowQuery(choices),
    },
    filters,
  });
}

function rowQuery({ dataFormat, dialect, guardsFormulas }: ExportChoices) {
  const isSheet = dataFormat === 'csv' || dataFormat === 'xlsx';
  return {
    dialect: dataFormat === 'sql' ? told(dialect) : undefined,
    formulas: isSheet && !guardsFormulas ? ('raw' as const) : undefined,
  };
}

function schemaQuery({ schemaFormat, dialect }: ExportChoices) {
  return { format: schemaFormat, dialect: schemaFormat === 'sql' ? told(dialect) : undefined };
}

function diagramQuery({ diagramFormat, columns, theme }: ExportChoices) {
  return { format: diagramFormat, columns, theme };
}

/** In one text, as the API parts them; left out when all are meant. */
function chosenTables(
  { leftOut }: ExportChoices,
  names: readonly string[],
): readonly string[] | undefined {
  const chosen = names.filter((name) => !leftOut.has(name));
  if (chosen.length === names.length) return undefined;
  return inOneText(chosen);
}

function inOneText(names: readonly string[]): readonly string[] {
  return [names.map((name) => encodeURIComponent(name)).join(',')];
}

function told(text: string): string | undefined {
  return text === '' ? undefined : text;
}
