/** Texts of the record panel: fields of a row, rows that are related to it. */
export const recordTexts = {
  record: 'Record',
  back: 'Back',
  backToRecord: 'Back to previous record',
  backToRows: 'Back to rows',
  previous: 'Previous record',
  next: 'Next record',
  noPrevious: 'No previous record on this page',
  noNext: 'No next record on this page',
  close: 'Close record',
  newRecord: 'new',
  newRowOf: ({ table }: { readonly table: string }) => `New row in ${table}`,
  newRowGone: 'This new row has been saved or discarded.',
  fieldsAndRelations: 'Fields and relations',
  fields: 'Fields',
  noRelatedRows: ({ table }: { readonly table: string }) => `No related rows in ${table}`,
  noKey: 'Rows of this table have no key, so they cannot be opened.',
  pageOf: ({ page, pages }: { readonly page: number; readonly pages: number }) =>
    `${page} of ${pages}`,

  // A field
  was: 'was',
  revertField: ({ column }: { readonly column: string }) => `Revert ${column}`,
  setFieldNull: ({ column }: { readonly column: string }) => `Set ${column} to NULL`,
  setFieldDefault: ({ column }: { readonly column: string }) => `Set ${column} to its default`,
  /** Read before the value of the field. */
  editField: ({ column }: { readonly column: string }) => `Edit ${column}:`,
  sizeInTotal: ({ size }: { readonly size: string }) => `${size} in total`,
  editAll: ({ size }: { readonly size: string }) => `Edit all ${size}`,
  editAllOf: ({ column }: { readonly column: string }) => `Edit all of ${column}`,

  // A foreign key
  /** Read before the value of the field. */
  chooseRow: ({ column, table }: { readonly column: string; readonly table: string }) =>
    `${column}, choose a row of ${table}:`,
  rowsOf: ({ table }: { readonly table: string }) => `Rows of ${table}`,
  missingRow: 'missing',
  openNamed: ({ table, id }: { readonly table: string; readonly id: string }) =>
    `Open ${table} ${id}`,
  openRecord: 'Open record',

  // A file
  download: 'Download',
  downloadField: ({ column }: { readonly column: string }) => `Download ${column}`,
  upload: 'Upload file',
  uploadField: ({ column }: { readonly column: string }) => `Upload ${column}`,
  uploadFailed: ({ file }: { readonly file: string }) => `Could not upload ${file}`,
  fileNotRead: ({ file }: { readonly file: string }) => `${file} cannot be read.`,
  uploaded: ({ file }: { readonly file: string }) => `Uploaded ${file}`,
  uploadedImmediately: ({ size, limit }: { readonly size: string; readonly limit: string }) =>
    `Files over ${limit} are uploaded immediately instead of with Save. This one is ${size}.`,
  saveRowFirst: ({ limit }: { readonly limit: string }) =>
    `Save the new row first. Files over ${limit} can be uploaded only into a saved row.`,
};
