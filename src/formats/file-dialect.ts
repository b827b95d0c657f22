/** Which dialect a file's types and expressions are in. */
import type { SchemaHint, TypeReader } from './schema-reading.ts';

/** By one of its names, whatever the case and what stands between the letters. */
export function dialectNamed(
  name: string,
  hint: SchemaHint,
  warnings: string[],
): TypeReader | undefined {
  const wanted = lettersOf(name);
  const found = hint.dialects.find((dialect) =>
    [dialect.name, ...dialect.titles].some((title) => lettersOf(title) === wanted),
  );
  if (found === undefined) {
    warnings.push(
      `The file is of ${name}, which is not known here: its types are read by their names.`,
    );
  }
  return found;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
