import { missingCapabilityReason } from '../api/capabilities.ts';
import type { Capability } from '../api/capabilities.ts';
import type { Schema } from '../api/queries.ts';
import { exportAddress } from './export-address.ts';
import type { ShownView } from './export-address.ts';
import { exportedViews } from './export-choices.ts';
import type { ExportChoices } from './export-choices.ts';
import { saveResult } from './save-result.ts';
import type { ShownResult } from './shown-result.ts';
import { downloadSchema, startTracked } from './start-download.ts';
import { exportingTexts as texts } from '../texts/exporting.ts';

export interface ExportSources {
  readonly schema: Schema | undefined;
  /** The names of all tables. */
  readonly names: readonly string[];
  readonly shown: ShownView | undefined;
  readonly result: ShownResult | undefined;
}

interface DownloadTracking {
  /** The expected number of rows, if known. */
  readonly rows: number | undefined;
  /** Receives the transfer id of a download with progress. */
  readonly onTracked: ((transfer: string) => void) | undefined;
}

interface PreparedExport {
  /** The URL of the file. Undefined for a file that the page itself creates. */
  readonly address: string | undefined;
  /** Why nothing can be exported. */
  readonly disabledReason: string | undefined;
  readonly start: () => Promise<void>;
}

/** Turns the selected options into an export that can be started. */
export function prepareExport(
  choices: ExportChoices,
  sources: ExportSources,
  { rows: total, onTracked }: DownloadTracking,
): PreparedExport {
  const { content } = choices;
  const { names, shown, result } = sources;
  if (content === 'result')
    return {
      address: undefined,
      disabledReason: result === undefined ? texts.resultGone : undefined,
      start: async () => (result === undefined ? undefined : saveResult(choices, result)),
    };
  const addressOf = (transfer?: string): string =>
    exportAddress(choices, { names, shown, ...(transfer === undefined ? {} : { transfer }) });
  const isNothing =
    content !== 'view' &&
    names.every((name) => choices.omittedTables.has(name)) &&
    exportedViews(choices).size === 0;
  const unavailable = missingCapabilityReason(sources.schema, neededBy(choices));
  return {
    address: addressOf(),
    disabledReason: unavailable ?? (isNothing ? texts.noTable : undefined),
    start: async () => {
      const isTracked = content === 'data' || content === 'dump' || content === 'view';
      if (!isTracked) return downloadSchema(addressOf());
      const transfer = await startTracked({ addressOf, total });
      if (transfer !== undefined) onTracked?.(transfer);
    },
  };
}

/** The capabilities of the database that an export needs. Inserts for another database need none. */
function neededBy({
  content,
  schemaFormat,
  dataFormat,
  dialect,
}: ExportChoices): readonly Capability[] {
  if (content === 'models') return ['ddl', 'gorm'];
  if (content === 'dump') return dialect === '' ? ['ddl', 'script'] : ['ddl'];
  if (content === 'schema') return schemaFormat === 'sql' ? ['ddl'] : [];
  const isOwnScript =
    (content === 'data' || content === 'view') && dataFormat === 'sql' && dialect === '';
  return isOwnScript ? ['script'] : [];
}
