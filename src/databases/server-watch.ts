/** Notices that a server no longer responds while a connection of a long job is in use. */

export interface WatchedConnections<C> {
  /** Grows with what is sent and received. */
  transferredBytes(connection: C): number;
  /** Opens another connection to the same server; `signal` cancels that. */
  openBeside(connection: C, signal: AbortSignal): Promise<C>;
  close(connection: C): Promise<void>;
  /** Closes a connection in use at once: what waits for its server fails. */
  destroy(connection: C): void;
}

/** If nothing is transferred for one interval, another connection is opened to test the server. */
const intervalMs = 750;
/** The server has ten intervals of this length to respond. */
const responseIntervalMs = 250;
const responseIntervals = 10;

/**
 * Watches a connection until the returned function is called. A statement may run for hours without a
 * byte, so silence alone says nothing: the connection is destroyed only if the server does not even
 * respond to another client. Any response counts, also a rejection, such as one for too many connections.
 */
export function watchServer<C>(connections: WatchedConnections<C>, connection: C): () => void {
  let transferred = connections.transferredBytes(connection);
  let isAsking = false;
  const check = async (): Promise<void> => {
    const now = connections.transferredBytes(connection);
    const isSilent = now === transferred;
    transferred = now;
    if (!isSilent || isAsking) return;
    isAsking = true;
    const responds = await respondsToAnotherClient(connections, connection);
    isAsking = false;
    if (!responds && connections.transferredBytes(connection) === transferred)
      connections.destroy(connection);
  };
  const timer = setInterval(() => void check(), intervalMs);
  return () => clearInterval(timer);
}

async function respondsToAnotherClient<C>(
  { openBeside, close }: WatchedConnections<C>,
  watched: C,
): Promise<boolean> {
  const { signal, stop } = limitResponse();
  try {
    const connection = await openBeside(watched, signal);
    close(connection).catch(() => undefined);
    return true;
  } catch (error) {
    return !signal.aborted && !isNetworkError(error);
  } finally {
    stop();
  }
}

/** Counts intervals, not time: while this process is busy, it cannot receive a response. */
function limitResponse(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  let remainingChecks = responseIntervals;
  const timer = setInterval(() => {
    remainingChecks -= 1;
    if (remainingChecks === 0) controller.abort();
  }, responseIntervalMs);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

const networkErrors: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  // Of the driver for SQL Server.
  'ESOCKET',
  'ETIMEOUT',
]);

/** Whether the error, or one of its causes, means that the server did not respond. */
function isNetworkError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return networkErrors.has(code) || isNetworkError(cause);
}
