/** The handlers' part of saved queries and positions: reading the bodies, and writing the responses. */
import { StudioError } from '../model/errors.ts';
import { membersByName, parseExactJson } from '../model/values/exact-json.ts';
import { acceptedMembers } from '../studio/core/body-members.ts';
import { maxCoordinate } from '../studio/export/read-positions.ts';
import { jsonResponse } from './http-response.ts';
import type { JsonNode } from '../model/values/exact-json.ts';
import type { SavedItems } from '../studio/saved/saved-items.ts';
import type { SavedPosition } from '../studio/saved/saved-state.ts';
import type { HttpResponse } from './http-response.ts';

const maxNameLength = 200;
const maxStatementLength = 100_000;

type Queries = SavedItems<string>;
type Positions = SavedItems<SavedPosition>;

export async function listQueries(queries: Queries): Promise<HttpResponse> {
  const all = await queries.all();
  return jsonResponse(200, { queries: [...all].map(([name, statement]) => ({ name, statement })) });
}

export async function saveQuery(
  queries: Queries,
  name: string,
  body: string,
): Promise<HttpResponse> {
  if (name.length > maxNameLength)
    throw new StudioError(
      'invalid_parameter',
      `The name of a query must have at most ${maxNameLength} characters.`,
      { parameter: 'query' },
    );
  const node = acceptedMembers(parseExactJson(body), 'The body', ['statement']).get('statement');
  if (node?.kind !== 'string' || node.value.trim() === '')
    throw new StudioError('invalid_body', 'statement must be a text that is not empty.');
  if (node.value.length > maxStatementLength)
    throw new StudioError(
      'invalid_body',
      `statement must have at most ${maxStatementLength} characters.`,
    );
  await queries.change(new Map([[name, node.value]]));
  return jsonResponse(200, { name, statement: node.value });
}

export async function removeQuery(queries: Queries, name: string): Promise<HttpResponse> {
  if (await queries.remove(name)) return jsonResponse(200, { message: 'removed' });
  throw new StudioError('not_found', `No query is saved as "${name}".`);
}

export async function listPositions(positions: Positions): Promise<HttpResponse> {
  return jsonResponse(200, { positions: Object.fromEntries(await positions.all()) });
}

export async function savePositions(positions: Positions, body: string): Promise<HttpResponse> {
  const node = acceptedMembers(parseExactJson(body), 'The body', ['positions']).get('positions');
  if (node?.kind !== 'object')
    throw new StudioError(
      'invalid_body',
      'positions must be an object such as {"users": [120, 40]}.',
    );
  const changes = new Map<string, SavedPosition | null>();
  for (const [name, value] of membersByName(node)) changes.set(name, readPosition(name, value));
  await positions.change(changes);
  return listPositions(positions);
}

function readPosition(name: string, node: JsonNode): SavedPosition | null {
  if (node.kind === 'null') return null;
  const coordinates = node.kind === 'array' ? node.items.map(readCoordinate) : [];
  const [x, y] = coordinates;
  if (coordinates.length === 2 && x !== undefined && y !== undefined) return [x, y];
  throw new StudioError(
    'invalid_body',
    `The position of "${name}" must be null or [x, y], two numbers from -${maxCoordinate} to ${maxCoordinate}.`,
  );
}

function readCoordinate(node: JsonNode): number | undefined {
  const value = node.kind === 'number' ? Number(node.digits) : NaN;
  return Math.abs(value) <= maxCoordinate ? value : undefined;
}
