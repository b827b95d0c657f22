/** The name of the database for file names. The name of a SQLite file loses its extension. Never empty. */
export function baseName(database: string): string {
  return database.replace(/\.(?:db|db3|sqlite|sqlite3|s3db)$/i, '') || 'database';
}
