import type { ErrorCode } from '../model/errors.ts';
import type { NamedSchema } from './named-schema.ts';
import type { QueryParameters } from './parameter.ts';

/** One route of the API, as data: what is served, documented, tested and called is made from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `<prefix>/api`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly query: QueryParameters;
  /** Takes `filter_<column>` too. */
  readonly takesFilters?: boolean;
  /** Honours If-None-Match. */
  readonly conditional?: boolean;
  /** Starts a process of its own, so that pages of other origins may not ask for it, even by GET. */
  readonly startsJob?: boolean;
  /** Honours If-Match. */
  readonly takesIfMatch?: boolean;
  readonly body?: BodyForm;
  /** What it answers when all is well, and any other answer that is no error. */
  readonly answers: Readonly<Record<number, AnswerForm>>;
  /** Beyond those of every route (`commonErrors`). */
  readonly errors: readonly ErrorCode[];
  /** `open` needs no credentials; `write` is refused by a read-only studio. */
  readonly access: 'open' | 'read' | 'write';
}

/** What a request brings: JSON, a value as it is, or files. */
export type BodyForm =
  | { readonly json: NamedSchema }
  | { readonly binary: string }
  /** A multipart form with one or more files in fields called `file`. */
  | { readonly upload: string };

export interface AnswerForm {
  readonly description: string;
  /** The JSON body. */
  readonly json?: NamedSchema;
  /** Another kind of body. */
  readonly contentType?: string;
}

/** Any route can answer these. */
const commonErrors: readonly ErrorCode[] = ['invalid_parameter', 'forbidden_host', 'internal'];

/** Every route that asks the database. */
export const databaseErrors: readonly ErrorCode[] = [
  'permission_denied',
  'table_unreadable',
  'database_error',
  'database_unavailable',
  'database_busy',
  'statement_timeout',
];

/** Every import and export: they may take as long as they take. */
export const jobErrors: readonly ErrorCode[] = [
  'permission_denied',
  'table_unreadable',
  'database_error',
  'database_unavailable',
  'database_busy',
];

/** All codes that a route can answer, each once. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const isOpenToPages = route.method === 'GET' && route.startsJob !== true;
  const ofMethod: readonly ErrorCode[] = isOpenToPages ? [] : ['forbidden_origin'];
  const ofAccess: readonly ErrorCode[] = [
    ...(route.access === 'open' ? [] : (['unauthorized', 'too_many_requests'] as const)),
    ...(route.access === 'write' ? (['read_only'] as const) : []),
  ];
  return [
    ...new Set([...commonErrors, ...ofMethod, ...ofAccess, ...bodyErrors(route), ...route.errors]),
  ];
}

function bodyErrors({ body }: Route): readonly ErrorCode[] {
  if (body === undefined) return [];
  return 'binary' in body ? ['too_large'] : ['invalid_body', 'too_large', 'unsupported_media_type'];
}
