import { z } from 'zod';

/** A schema that the OpenAPI document lists by name, with an example of what it describes. */
export interface NamedSchema<T extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: T;
  readonly example: z.input<T>;
}

/** The schemas that are listed by name, also those that only others refer to. */
export const namedSchemas = z.registry<{ id: string; description: string; examples?: unknown[] }>();

/** Lists a schema by name, so that others refer to it. */
export function named<T extends z.ZodType>(name: string, description: string, schema: T): T {
  namedSchemas.add(schema, { id: name, description });
  return schema;
}

/** The same, for a whole body. */
export function body<T extends z.ZodType>(
  name: string,
  description: string,
  { schema, example }: { readonly schema: T; readonly example: z.input<T> },
): NamedSchema<T> {
  namedSchemas.add(schema, { id: name, description, examples: [example] });
  return { name, schema, example };
}
