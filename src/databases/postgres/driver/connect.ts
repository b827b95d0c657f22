import { openWithin } from '../../cancel-statement.ts';
import { connectionError } from './connection-error.ts';
import { startConnecting } from './driver.ts';
import type { Connection } from './connection.ts';
import type { ConnectAttempt, DriverOptions } from './driver.ts';

/** The current attempt to connect. */
interface ConnectState {
  attempt: ConnectAttempt | undefined;
  isAborted: boolean;
}

/** Opens a connection. `connectMs` limits all attempts, the login and the session setup together. */
export async function connect(options: DriverOptions, signal: AbortSignal): Promise<Connection> {
  const state: ConnectState = { attempt: undefined, isAborted: false };
  const destroy = (): void => {
    state.isAborted = true;
    state.attempt?.destroy();
  };
  const bounds = { limitMs: options.connection.connectMs, signal };
  try {
    return await openWithin({ destroy }, bounds, async () =>
      (await connectAny(options, state)).setUp(),
    );
  } catch (error) {
    destroy();
    throw signal.aborted ? signal.reason : connectionError(error);
  }
}

async function connectAny(options: DriverOptions, state: ConnectState): Promise<ConnectAttempt> {
  let lastError: unknown;
  for (const tls of options.connection.tls) {
    if (state.isAborted) break;
    const attempt = startConnecting(options, tls);
    state.attempt = attempt;
    try {
      await attempt.connected;
      return attempt;
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}
