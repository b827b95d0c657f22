import type { StudioCapability } from '../model/capabilities.ts';
import type { ErrorCode } from '../model/errors.ts';
import type { NamedSchema } from './named-schema.ts';
import type { QueryParameters } from './parameter.ts';

/** One route of the API. The server, the documents, the tests and the client derive from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `<prefix>/api`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly query: QueryParameters;
  /** Whether `filter_<column>` parameters are accepted. */
  readonly takesFilters?: boolean;
  /** Supports If-None-Match. */
  readonly supportsIfNoneMatch?: boolean;
  /** Starts a child process. Pages of other origins must not trigger this, even with GET. */
  readonly startsJob?: boolean;
  /** Supports If-Match. */
  readonly supportsIfMatch?: boolean;
  /** Supports Idempotency-Key. */
  readonly supportsIdempotencyKey?: boolean;
  readonly body?: BodyForm;
  /** Responses that are not errors, by status. */
  readonly responses: Readonly<Record<number, ResponseForm>>;
  /** Capabilities of the database, in addition to `write` for a route that writes. The schema response lists those of the database. */
  readonly needs?: readonly StudioCapability[];
  /** Error codes in addition to `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** `open` requires no credentials. A read-only studio rejects `write`. */
  readonly access: 'open' | 'read' | 'write';
}

/** The body of a request: JSON, a raw value, or files. */
export type BodyForm =
  | { readonly json: NamedSchema }
  | { readonly binary: string }
  /** A multipart form with one or more files in fields named `file`. */
  | { readonly upload: string };

export interface ResponseForm {
  readonly description: string;
  /** The JSON body. */
  readonly json?: NamedSchema;
  /** The media types of a body without a schema. */
  readonly contentTypes?: readonly string[];
}

/** Errors of all routes. */
const commonErrors: readonly ErrorCode[] = ['invalid_parameter', 'forbidden_host', 'internal'];

/** Errors of routes that query the database. */
export const databaseErrors: readonly ErrorCode[] = [
  'permission_denied',
  'table_unreadable',
  'database_error',
  'database_unavailable',
  'database_busy',
  'statement_timeout',
];

/** Errors of imports, exports and generated files, which have no statement timeout. */
export const jobErrors: readonly ErrorCode[] = [
  'permission_denied',
  'table_unreadable',
  'database_error',
  'database_unavailable',
  'database_busy',
];

/** Returns the capabilities of the database without which a route is not available. */
export function needsOf({ access, needs = [] }: Route): readonly StudioCapability[] {
  return access === 'write' ? ['write', ...needs] : needs;
}

/** Returns all error codes of a route, without duplicates. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const isSafeFromOtherOrigins = route.method === 'GET' && route.startsJob !== true;
  const originErrors: readonly ErrorCode[] = isSafeFromOtherOrigins ? [] : ['forbidden_origin'];
  const accessErrors: readonly ErrorCode[] = [
    ...(route.access === 'open' ? [] : (['unauthorized', 'too_many_requests'] as const)),
    ...(route.access === 'write' ? (['read_only'] as const) : []),
    ...(route.needs === undefined ? [] : (['unsupported'] as const)),
  ];
  return [
    ...new Set([
      ...commonErrors,
      ...originErrors,
      ...accessErrors,
      ...bodyErrors(route),
      ...route.errors,
    ]),
  ];
}

function bodyErrors({ body }: Route): readonly ErrorCode[] {
  if (body === undefined) return [];
  return 'binary' in body ? ['too_large'] : ['invalid_body', 'too_large', 'unsupported_media_type'];
}
