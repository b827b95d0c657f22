interface NamedTable {
  readonly name: string;
  /** The namespace. Empty where the database has none, so that a name may begin with a dot. */
  readonly schema: string;
}

/** Returns the namespace, if the name contains it, and the name as separate identifiers. */
export function identifiersOf({ name, schema }: NamedTable): readonly string[] {
  if (schema === '' || !name.startsWith(`${schema}.`)) return [name];
  return [schema, name.slice(schema.length + 1)];
}

/** The name without its namespace. */
export function localNameOf(table: NamedTable): string {
  return identifiersOf(table).at(-1) ?? table.name;
}
