const connectLine = /^\\c(?:onnect)?[ \t]+(?:-reuse-previous=\w+[ \t]+)?(.+)$/;

/** The database that psql's `\connect` goes to; undefined for other lines, and where it stays in the same. */
export function connectedDatabase(line: string): string | undefined {
  const told = connectLine.exec(line)?.[1];
  const database = told === undefined ? '-' : databaseIn(told);
  return database === '-' ? undefined : database;
}

/** `shop`, `"shop"`, `shop owner`, `"dbname='shop'"` */
function databaseIn(told: string): string {
  const named = /dbname\s*=\s*\\?'?([^'"\s]+)/.exec(told)?.[1];
  return named ?? /^"([^"]+)"/.exec(told)?.[1] ?? told.trim().split(/\s/, 1)[0] ?? '-';
}
