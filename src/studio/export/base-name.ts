/** What files made of a database are called after: a database that is a file without its ending. */
export function baseName(database: string): string {
  return database.replace(/\.(?:db|db3|sqlite|sqlite3|s3db)$/i, '');
}
