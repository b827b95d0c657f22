import { StudioError } from '../../model/errors.ts';
import { parseExactJson } from '../../model/exact-json.ts';
import { schemaFromDocument } from '../schema-from-document.ts';
import { parseFailure } from '../schema-document-node.ts';
import type { JsonNode } from '../../model/exact-json.ts';
import type { SchemaHint, SchemaReading } from '../schema-reading.ts';

export function schemaFromJson(text: string, hint: SchemaHint): SchemaReading {
  const source = { text: withoutMark(text), opened: new Map() };
  return schemaFromDocument(source, parse(source.text), hint);
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The same failure, with its place where imports tell places. */
function parse(text: string): JsonNode {
  try {
    return parseExactJson(text, 'parse_failed');
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const { line, column } = error.details;
    throw parseFailure(error.message, { line: Number(line), column: Number(column) });
  }
}
