/** The state of a connection, from the driver's client. */
import { createLoss } from '../../loss.ts';
import { untilEvent } from './until-event.ts';
import type { EventEmitter } from 'node:events';
import type { Loss } from '../../loss.ts';

interface Client {
  /** False until the server sends ReadyForQuery. */
  readonly readyForQuery?: boolean;
  readonly connection: Pick<EventEmitter, 'once' | 'off'>;
  getTransactionStatus(): string | null;
}

interface ClientState {
  readonly client: Client;
  readonly loss: Loss;
  /** Whether prepared statements may be missing or replaced. */
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

/** Waits for ReadyForQuery after a statement that failed. */
export async function untilReady({ client, loss }: ClientState): Promise<void> {
  if (client.readyForQuery === true || loss.hasHappened()) return;
  await loss.during(untilEvent(client.connection, ['readyForQuery', 'end'])).catch(() => {});
}
