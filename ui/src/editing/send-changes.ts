import { StudioError } from '../../../src/model/errors.ts';
import { ClientError } from '../../../src/contract/client/client.ts';
import type { CallOptions } from '../../../src/contract/client/client.ts';
import { client } from '../api/client.ts';
import type { Cascades, PreviewedChanges } from '../api/responses.ts';
import { changesBody } from './staged.ts';
import type { Staged } from './staged.ts';
import { savingTexts as texts } from '../texts/saving.ts';

/** A request to save changes. Repeating it with the same key saves them once. */
export interface SaveAttempt {
  readonly sent: Staged;
  /** The cascades that the page has shown of the changes; undefined if it has not shown them. */
  readonly expected: Cascades | undefined;
  readonly key: string;
  /** The time of the first request, as `Date.now()`. Undefined before it. */
  readonly firstSentAt: number | undefined;
}

export function newAttempt(sentChanges: Staged, expected: Cascades | undefined): SaveAttempt {
  // `crypto.randomUUID` exists on secure origins only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { sent: sentChanges, expected, key, firstSentAt: undefined };
}

/** The response to changes that have been made. */
type ChangedRows = Extract<ChangesResponse, { readonly message: 'changed' }>;

type ChangesResponse = Awaited<ReturnType<typeof postChanges>>;

async function postChanges(
  table: string,
  body: string,
  options: Pick<CallOptions<'POST /tables/:table/changes'>, 'query' | 'idempotencyKey' | 'signal'>,
) {
  const { query, ...requestOptions } = options;
  const response = await client.call('POST /tables/:table/changes', {
    params: { table },
    // Soft-deleted rows can be edited, which is how they are restored.
    query: { show_deleted: true, ...query },
    body,
    ...requestOptions,
  });
  return response.body;
}

/** Returns what the changes would do. `partial`: the storage engine cannot roll back. */
export async function previewChanges(
  table: string,
  sent: Staged,
  { partial, signal }: { readonly partial: boolean; readonly signal: AbortSignal },
): Promise<PreviewedChanges> {
  const query = { dry_run: true, partial };
  const body = await postChanges(table, changesBody(sent), { query, signal });
  if (body.message !== 'previewed') throw new Error(texts.unexpectedResponse);
  return body;
}

/** The response was lost: whether the changes were saved is not known. */
export class OutcomeUnknown extends Error {
  readonly attempt: SaveAttempt;

  /** `rejection`: why the studio did not look at the repeated request. */
  constructor(attempt: SaveAttempt, rejection?: StudioError) {
    super(rejection === undefined ? texts.noResponse : texts.repetitionRejected(rejection));
    this.name = 'OutcomeUnknown';
    this.attempt = attempt;
  }
}

/** After these times, a request whose response was lost is repeated. In milliseconds. */
export const retryDelays = [200, 1000, 3000];

/** Sends the changes. Repeats the request when its response is lost. Throws `OutcomeUnknown` if that does not help. */
export async function sendChanges(
  table: string,
  attempt: SaveAttempt,
  delays: readonly number[],
): Promise<ChangedRows> {
  const body = changesBody(attempt.sent, attempt.expected);
  const firstSentAt = attempt.firstSentAt ?? Date.now();
  const isRepeated = attempt.firstSentAt !== undefined;
  for (let attempts = 0; ; attempts++) {
    try {
      const idempotencyKey = idempotencyHeader(
        attempt.key,
        isRepeated || attempts > 0 ? firstSentAt : undefined,
      );
      const response = await postChanges(table, body, { idempotencyKey });
      if (response.message === 'changed') return response;
      throw new Error(texts.unexpectedResponse);
    } catch (error) {
      const wasLost = isRepeated || attempts > 0;
      if (wasLost && isRejectedUnread(error))
        throw new OutcomeUnknown({ ...attempt, firstSentAt }, error);
      if (!isLost(error)) throw error;
      const delay = delays[attempts];
      if (delay === undefined) throw new OutcomeUnknown({ ...attempt, firstSentAt });
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

function idempotencyHeader(key: string, firstSentAt: number | undefined): string {
  if (firstSentAt === undefined) return `"${key}"`;
  return `"${key}";age=${Math.max(0, Math.floor((Date.now() - firstSentAt) / 1000))}`;
}

const rejectedUnreadCodes: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden_host',
  'forbidden_origin',
  'too_many_requests',
]);

/**
 * Whether a request was rejected before the studio looked at its changes, for example because the
 * session has ended, or by a proxy. That says nothing about an earlier request with the same key.
 */
function isRejectedUnread(error: unknown): error is StudioError {
  if (!(error instanceof StudioError) || isLost(error)) return false;
  const isFromProxy = error.code === 'internal' && error instanceof ClientError;
  return isFromProxy || rejectedUnreadCodes.has(error.code);
}

/** Whether no response of the studio arrived: no connection, a broken body, or the error page of a proxy. */
function isLost(error: unknown): boolean {
  if (!(error instanceof StudioError)) return true;
  return (
    error.code === 'internal' &&
    error instanceof ClientError &&
    [502, 503, 504].includes(error.status)
  );
}
