import { StudioError } from '../../model/errors.ts';
import { isExactDouble } from '../../model/values/json-number.ts';
import { acceptedMembers } from '../core/body-members.ts';
import type { JsonNode } from '../../model/values/exact-json.ts';
import type { Value } from '../../model/values.ts';
import type { JsonBody } from '../rows/write/read-assignments.ts';

export interface SqlRequest {
  readonly query: string;
  readonly params: readonly Value[];
  readonly maxRows: number;
  /** The transaction is rolled back. */
  readonly dryRun: boolean;
}

const defaultRows = 1000;
const maxAllowedRows = 10_000;
const memberNames = ['query', 'params', 'max_rows', 'dry_run'];

export function readSqlBody(body: JsonBody): SqlRequest {
  const members = acceptedMembers(body.node, 'The body', memberNames);
  const query = members.get('query');
  const params = members.get('params');
  if (query?.kind !== 'string') throw invalid('query must be a string.');
  if (params !== undefined && params.kind !== 'array') throw invalid('params must be an array.');
  return {
    query: validateQuery(query.value),
    params: (params?.items ?? []).map((node) => readParam(node, body.text)),
    maxRows: readMaxRows(members.get('max_rows')),
    dryRun: readDryRun(members.get('dry_run')),
  };
}

function invalid(message: string): StudioError {
  return new StudioError('invalid_body', message);
}

function readMaxRows(node: JsonNode | undefined): number {
  if (node === undefined) return defaultRows;
  if (node.kind !== 'number' || !/^-?\d+$/.test(node.digits))
    throw invalid('max_rows must be an integer.');
  return Math.min(Math.max(Number(node.digits), 1), maxAllowedRows);
}

function readDryRun(node: JsonNode | undefined): boolean {
  if (node !== undefined && node.kind !== 'boolean')
    throw invalid('dry_run must be true or false.');
  return node?.value ?? false;
}

const largestInt64 = 2n ** 63n - 1n;

/** Classifying a statement takes time and memory in proportion to its length. Larger texts are data, to be imported. */
const maxQueryLength = 2 ** 20;

function validateQuery(query: string): string {
  if (query.length > maxQueryLength)
    throw new StudioError('too_large', `query may have at most ${maxQueryLength} characters.`, {
      limit: maxQueryLength,
    });
  if (query.isWellFormed() && !query.includes('\0')) return query;
  throw new StudioError(
    'invalid_parameter',
    'query contains a zero character or half of a surrogate pair.',
    { parameter: 'query' },
  );
}

/** Reads a parameter by its JSON type: whole numbers as integers, arrays and objects as their JSON text. */
function readParam(node: JsonNode, text: string): Value {
  if (node.kind === 'null') return null;
  if (node.kind === 'boolean' || node.kind === 'string') return node.value;
  if (node.kind === 'number') return readNumber(node.digits);
  const [only] = node.kind === 'object' ? node.members : [];
  if (only?.name === '$base64' && only.value.kind === 'string')
    return Buffer.from(only.value.value, 'base64');
  if (only?.name === '$int' && only.value.kind === 'string') return readNumber(only.value.value);
  return text.slice(node.start, node.end);
}

/** Numbers that neither a 64-bit integer nor a double holds exactly are sent as text, for the database to parse. */
function readNumber(digits: string): Value {
  if (/^-?\d{1,20}$/.test(digits)) {
    const value = BigInt(digits);
    if (value >= -largestInt64 - 1n && value <= largestInt64) return value;
  }
  return isExactDouble(digits) ? Number(digits) : digits;
}
