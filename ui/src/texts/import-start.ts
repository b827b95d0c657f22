/** Texts of dropping files and of the end of an import, which every page can show. `importing.ts` has the texts of the wizard. */
export const importStartTexts = {
  drop: 'Drop to import',
  notImported: 'Not imported',
  unsupportedType: ({ file }: { readonly file: string }) =>
    `${file} cannot be imported: its file type is not supported.`,
  noGoFiles: 'The folder has no Go files.',
  saveAsXlsx: 'Save it as .xlsx first.',
  importRunning: 'Another import is still running.',
  canceled: 'Canceled',
  nothingChanged: 'A canceled import changes nothing.',
  structureNotReloaded: 'Could not reload the structure',
};
