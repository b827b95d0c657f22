import { documentOf } from '../schema-document.ts';
import type { SchemaText, SchemaWriting } from '../schema-document.ts';

export function schemaToJson(writing: SchemaWriting): SchemaText {
  return { text: `${JSON.stringify(documentOf(writing), null, 2)}\n`, warnings: [] };
}
