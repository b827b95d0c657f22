import { schemaToDocument } from '../schema-document.ts';
import type { SchemaText, SchemaSource } from '../schema-document.ts';

export function schemaToJson(source: SchemaSource): SchemaText {
  return { text: `${JSON.stringify(schemaToDocument(source), null, 2)}\n`, warnings: [] };
}
