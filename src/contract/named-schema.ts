import { z } from 'zod';

/** A schema in the components of the OpenAPI document, with an example. */
export interface NamedSchema<T extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: T;
  readonly example: z.input<T>;
}

/** All schemas of the components section. */
export const namedSchemas = z.registry<{ id: string; description: string; examples?: unknown[] }>();

/** Registers a schema under a name, so that others can reference it. */
export function named<T extends z.ZodType>(name: string, description: string, schema: T): T {
  namedSchemas.add(schema, { id: name, description });
  return schema;
}

/** Registers the schema of a body, with an example. */
export function body<T extends z.ZodType>(
  name: string,
  description: string,
  { schema, example }: { readonly schema: T; readonly example: z.input<T> },
): NamedSchema<T> {
  namedSchemas.add(schema, { id: name, description, examples: [example] });
  return { name, schema, example };
}
