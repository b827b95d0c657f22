/**
 * What a database can offer beyond reading rows. Each capability is a group of members of `Dialect`,
 * `Database` and `DatabaseSyntax` that a database has as a whole or not at all.
 */
export type Capability =
  /** Single rows can be inserted, updated and deleted. */
  | 'write'
  /** Files of rows can be loaded. */
  | 'load'
  /** Rows can be exported as scripts of INSERT statements, and such scripts can be read. */
  | 'script'
  /** Users can run their own statements. */
  | 'sql'
  /** The structure can be exported as SQL and created from files. */
  | 'ddl';

/** `gorm`: GORM has a driver for the database. This depends on `src/gorm`, not on the database's folder. */
export type StudioCapability = Capability | 'gorm';

export const studioCapabilities: readonly StudioCapability[] = [
  'write',
  'load',
  'script',
  'sql',
  'ddl',
  'gorm',
];
