import { openWithin } from '../../cancel-statement.ts';
import { connectionError } from './connection-error.ts';
import { dial } from './driver.ts';
import type { Connection } from './connection.ts';
import type { Dialing, DriverOptions } from './driver.ts';

/** The attempt that is being made. */
interface Opening {
  dialing: Dialing | undefined;
  isGivenUp: boolean;
}

/** Opens a connection; `connectMs` is for all of it: every attempt, the login and the set-up. */
export async function connect(options: DriverOptions, signal: AbortSignal): Promise<Connection> {
  const opening: Opening = { dialing: undefined, isGivenUp: false };
  const destroy = (): void => {
    opening.isGivenUp = true;
    opening.dialing?.destroy();
  };
  const bounds = { limitMs: options.connection.connectMs, signal };
  try {
    return await openWithin({ destroy }, bounds, async () =>
      (await dialAny(options, opening)).setUp(),
    );
  } catch (error) {
    destroy();
    throw signal.aborted ? signal.reason : connectionError(error);
  }
}

async function dialAny(options: DriverOptions, opening: Opening): Promise<Dialing> {
  let failure: unknown;
  for (const tls of options.connection.tls) {
    if (opening.isGivenUp) break;
    const dialing = dial(options, tls);
    opening.dialing = dialing;
    try {
      await dialing.connected;
      return dialing;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
