/** In what state a connection is, as the driver's client tells. */
import { createLoss } from '../loss.ts';
import { untilEvent } from './until-event.ts';
import type { EventEmitter } from 'node:events';
import type { Loss } from '../loss.ts';

interface Client {
  /** False while the server has not said that it is done. */
  readonly readyForQuery?: boolean;
  readonly connection: Pick<EventEmitter, 'once' | 'off'>;
  getTransactionStatus(): string | null;
}

interface ClientState {
  readonly client: Client;
  readonly loss: Loss;
  /** Whether prepared statements may not be what they were prepared as. */
  readonly statements: { readonly areLost: boolean };
}

export function isIdle({ client, loss, statements }: ClientState): boolean {
  if (loss.hasHappened() || statements.areLost) return false;
  return client.readyForQuery === true && client.getTransactionStatus() === 'I';
}

export function lossOf(client: Pick<EventEmitter, 'once'>): Loss {
  const loss = createLoss();
  client.once('error', () => loss.happen());
  client.once('end', () => loss.happen());
  return loss;
}

/** Until the server has taken note of the end of a statement that failed. */
export async function untilReady({ client, loss }: ClientState): Promise<void> {
  if (client.readyForQuery === true || loss.hasHappened()) return;
  await loss.during(untilEvent(client.connection, ['readyForQuery', 'end'])).catch(() => {});
}
