const connectLine = /^\\c(?:onnect)?[ \t]+(?:-reuse-previous=\w+[ \t]+)?(.+)$/;

/** The database that psql's `\connect` names; undefined for other lines and for `-`, which keeps the current one. */
export function connectedDatabase(line: string): string | undefined {
  const argument = connectLine.exec(line)?.[1];
  const database = argument === undefined ? '-' : databaseInArgument(argument);
  return database === '-' ? undefined : database;
}

/** `shop`, `"shop"`, `shop owner`, `"dbname='shop'"` */
function databaseInArgument(argument: string): string {
  const namedDatabase = /dbname\s*=\s*\\?'?([^'"\s]+)/.exec(argument)?.[1];
  return (
    namedDatabase ?? /^"([^"]+)"/.exec(argument)?.[1] ?? argument.trim().split(/\s/, 1)[0] ?? '-'
  );
}
