/** Finds the dialect of a file's types and expressions. */
import type { SchemaContext, FileDialect } from './schema-reader.ts';

/** Compares letters only, ignoring case: `SQL Server`, `sqlserver` and `SQL-Server` are the same. */
export function findDialectByName(
  name: string,
  context: SchemaContext,
  warnings: string[],
): FileDialect | undefined {
  const letters = lettersOf(name);
  const found = context.dialects.find((dialect) =>
    [dialect.name, ...dialect.titles].some((title) => lettersOf(title) === letters),
  );
  if (found === undefined) {
    warnings.push(
      `The file was written for ${name}, which is not a known database: its types were read by their names.`,
    );
  }
  return found;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
