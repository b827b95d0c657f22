import { StudioError } from '../../model/errors.ts';
import { parseExactJson } from '../../model/values/exact-json.ts';
import { schemaFromDocument } from '../schema-from-document.ts';
import { parseError } from '../schema-document-node.ts';
import type { JsonNode } from '../../model/values/exact-json.ts';
import type { SchemaContext, ImportedSchema } from '../schema-reader.ts';

export function schemaFromJson(text: string, context: SchemaContext): ImportedSchema {
  const source = { text: withoutByteOrderMark(text), visitedObjects: new Map() };
  return schemaFromDocument(source, parse(source.text), context);
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Adds the position to the details in the way that schema imports report it. */
function parse(text: string): JsonNode {
  try {
    return parseExactJson(text, 'parse_failed');
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const { line, column } = error.details;
    throw parseError(error.message, { line: Number(line), column: Number(column) });
  }
}
