/** Texts of downloads and their progress, which every page can show. `exporting.ts` has the texts of the form. */
export const exportProgressTexts = {
  exporting: ({ file }: { readonly file: string }) => `Exporting ${file}`,
  saved: ({ file }: { readonly file: string }) => `${file} is saved`,
  failed: ({ file }: { readonly file: string }) => `${file} is incomplete: the export failed`,
  canceled: ({ file }: { readonly file: string }) => `The export of ${file} was canceled`,
  incomplete: 'The file is incomplete unless it responds again.',
  lost: 'The studio server did not respond, and no longer knows this export.',
  exportOf: ({ file }: { readonly file: string }) => `Export of ${file}`,
  cancelExport: 'Cancel export',
  keepWorking: 'The browser saves the file. You can keep working in other tabs.',
  startsSoon: 'The browser is about to save the file.',
  rowsOfTotal: ({ count, totalRows }: { readonly count: string; readonly totalRows: string }) =>
    `${count} of ${totalRows}`,
  seconds: ({ seconds }: { readonly seconds: string }) => `${seconds} s`,

  preparing: 'Preparing the file …',
  creating: 'Creating the file …',
  started: 'The download has started',
  notExported: 'Nothing was exported',
  unnamedFile: 'the file',
  statusOnly: ({ status }: { readonly status: number }) =>
    `The server returned status ${status} without a message.`,
  noSnapshot:
    'The tables were not read in one snapshot, so their rows may be from different times.',
};
