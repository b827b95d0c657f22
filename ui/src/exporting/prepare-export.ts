import { exportAddress } from './export-address.ts';
import type { ShownView } from './export-address.ts';
import type { ExportChoices } from './export-choices.ts';
import { saveResult } from './save-result.ts';
import type { ShownResult } from './shown-result.ts';
import { startDownload, startFollowed } from './start-download.ts';

export interface ExportSources {
  /** All tables there are. */
  readonly names: readonly string[];
  readonly shown: ShownView | undefined;
  readonly result: ShownResult | undefined;
}

interface Outlook {
  /** How many rows the file will have, where that is known. */
  readonly rows: number | undefined;
  /** Told what the server calls a download that can be followed. */
  readonly onFollowed: ((transfer: string) => void) | undefined;
}

interface Export {
  /** Where the file is; undefined when it is made here. */
  readonly address: string | undefined;
  /** Why there is none. */
  readonly offReason: string | undefined;
  readonly start: () => Promise<void>;
}

/** What a person has chosen, ready to be done. */
export function prepareExport(
  choices: ExportChoices,
  sources: ExportSources,
  { rows: total, onFollowed }: Outlook,
): Export {
  const { what } = choices;
  const { names, shown, result } = sources;
  if (what === 'result')
    return {
      address: undefined,
      offReason: result === undefined ? 'The result is not shown any more.' : undefined,
      start: async () => (result === undefined ? undefined : saveResult(choices, result)),
    };
  const addressOf = (transfer?: string): string =>
    exportAddress(choices, { names, shown, ...(transfer === undefined ? {} : { transfer }) });
  const isNothing = what !== 'view' && names.every((name) => choices.leftOut.has(name));
  return {
    address: addressOf(),
    offReason: isNothing ? 'No table is selected.' : undefined,
    start: async () => {
      if (what !== 'data' && what !== 'view') return startDownload(addressOf());
      const transfer = await startFollowed({ addressOf, total });
      if (transfer !== undefined) onFollowed?.(transfer);
    },
  };
}
