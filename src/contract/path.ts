import { StudioError } from '../model/errors.ts';
import { decodeSegment } from '../model/row-id.ts';
import { decodePercent } from './query-text.ts';

/** The names of a path's parameters: `'table' | 'id'` for `/tables/:table/rows/:id`. */
export type PathParameterName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParameterName<`/${Tail}`>
    : Rest
  : never;

interface PathParameter {
  readonly description: string;
  readonly example: string;
}

const tildeRules =
  'Percent-encoded. `~` is the empty string, `~.` and `~..` are the names `.` and `..`, and a name that consists of ' +
  'tildes and at most two trailing dots gets one more tilde.';

/** Descriptions of path parameters, which are the same on all routes. */
export const pathParameters: Readonly<Record<string, PathParameter>> = {
  table: {
    description: `The name of a table or view, as in the schema. ${tildeRules}`,
    example: 'users',
  },
  id: {
    description:
      "The row's id: its key values in key order, each percent-encoded, joined by `,`. A client may percent-encode the whole of it once more. " +
      'For a key of one column the whole segment is the value. Binary is base64url. ' +
      'Tables without a key take the rowid, which rows carry as `_rowid_` (see `rowid_member` of the schema); a row whose key holds a NULL takes `_rowid_=` and the rowid. `~`, `~.` and `~..` as for tables.',
    example: '1',
  },
  relation: {
    description:
      'The name of a relation, as in the schema. An exact match wins, else a unique case-insensitive match.',
    example: 'Posts',
  },
  column: {
    description: `The name of a column, as in the schema. ${tildeRules}`,
    example: 'avatar',
  },
  query: {
    description: `The name of a saved query. ${tildeRules}`,
    example: 'Older users',
  },
  file: {
    description: '`rejected_file` of the response to the import.',
    example: '5b1f6a3e-2c0d-4e57-9a86-1d2f7c9e0b34',
  },
  transfer: {
    description: 'The name that the client chose for the download.',
    example: '0b7f2c1e-51f0-4b8e-9d0a-3f6f4f0f9a11',
  },
};

/** Returns the names of the parameters of a path, in order. */
export function pathParameterNames(path: string): readonly string[] {
  return path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));
}

/**
 * Returns a function that decodes the parameters of a path from its raw segments. Ids remain encoded,
 * because they must be split first.
 */
export function pathReader(
  path: string,
): (segments: readonly string[]) => Readonly<Record<string, string>> {
  const parameters = path
    .split('/')
    .flatMap((part, index) => (part.startsWith(':') ? [{ name: part.slice(1), index }] : []));
  return (segments) => {
    const params: Record<string, string> = {};
    for (const { name, index } of parameters) {
      const segment = segments[index] ?? '';
      params[name] = name === 'id' ? validateId(segment) : readSegment(name, segment);
    }
    return params;
  };
}

function validateId(segment: string): string {
  if (decodePercent(segment) !== undefined) return segment;
  throw new StudioError('invalid_id', malformedMessage('id'));
}

function readSegment(name: string, segment: string): string {
  if (decodePercent(segment) !== undefined) return decodeSegment(segment);
  throw new StudioError('invalid_parameter', malformedMessage(name), { parameter: name });
}

function malformedMessage(name: string): string {
  return `The ${name} in the path is not percent-encoded UTF-8 or contains a NUL character.`;
}
