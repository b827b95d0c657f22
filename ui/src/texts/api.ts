/** Reasons why the pages disable something. */
export const apiTexts = {
  readOnlyStudio: 'The studio was started read-only.',
  viewRows: 'Rows of a view can be changed only in its underlying tables.',
  /** By the missing capability. */
  unsupported: {
    write: 'The studio cannot write to databases of this kind.',
    load: 'The studio cannot import data into databases of this kind.',
    script: 'The studio cannot read or write INSERT statements for databases of this kind.',
    sql: 'The studio cannot run SQL on databases of this kind.',
    ddl: 'The studio cannot read or write the structure of databases of this kind as SQL.',
    gorm: 'The studio cannot convert Go models for databases of this kind.',
  },
};
