/** Texts of dropping files, and of the progress and the end of an import, which every page can show. `importing.ts` has the texts of the wizard. */
export const importStartTexts = {
  drop: 'Drop to import',
  notImported: 'Not imported',
  unsupportedType: ({ file }: { readonly file: string }) =>
    `${file} cannot be imported: its file type is not supported.`,
  noGoFiles: 'The folder has no Go files.',
  saveAsXlsx: 'Save it as .xlsx first.',
  importRunning: 'Another import is still running.',
  checking: ({ file }: { readonly file: string }) => `Checking ${file}`,
  importing: ({ file }: { readonly file: string }) => `Importing ${file}`,
  importOf: ({ file }: { readonly file: string }) => `Import of ${file}`,
  uploading: 'Uploading the file …',
  readingFile: 'Reading the file …',
  rowsOfTotal: ({ count, totalRows }: { readonly count: string; readonly totalRows: string }) =>
    `${count} of ${totalRows}`,
  cancelCheck: 'Cancel check',
  cancelImport: 'Cancel import',
  showImport: 'Show import',
  checkDone: ({ file }: { readonly file: string }) => `${file} is checked, but not yet imported`,
  checkFailed: ({ file }: { readonly file: string }) => `${file} cannot be imported as it is`,
  importDone: ({ file }: { readonly file: string }) => `${file} is imported`,
  importFailed: ({ file }: { readonly file: string }) => `${file} was not imported`,
  canceled: 'Canceled',
  nothingChanged: 'A canceled import changes nothing.',
  structureNotReloaded: 'Could not reload the structure',
};
