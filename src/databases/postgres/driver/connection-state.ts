/** The state of a connection, from the driver's client. */
import { createConnectionLoss } from '../../connection-loss.ts';
import { untilEvent } from './until-event.ts';
import type { EventEmitter } from 'node:events';
import type { ConnectionLoss } from '../../connection-loss.ts';

interface Client {
  /** False until the server sends ReadyForQuery. */
  readonly readyForQuery?: boolean;
  readonly connection: Pick<EventEmitter, 'once' | 'off'>;
  getTransactionStatus(): string | null;
}

interface ClientState {
  readonly client: Client;
  readonly loss: ConnectionLoss;
  /** Whether prepared statements may be missing or replaced. */
  readonly statements: { readonly areLost: boolean };
}

export function isIdle({ client, loss, statements }: ClientState): boolean {
  if (loss.isLost() || statements.areLost) return false;
  return client.readyForQuery === true && client.getTransactionStatus() === 'I';
}

export function lossOf(client: Pick<EventEmitter, 'once'>): ConnectionLoss {
  const loss = createConnectionLoss();
  client.once('error', () => loss.markLost());
  client.once('end', () => loss.markLost());
  return loss;
}

/** Waits for ReadyForQuery after a statement that failed. */
export async function untilReady({ client, loss }: ClientState): Promise<void> {
  if (client.readyForQuery === true || loss.isLost()) return;
  await loss.failOnLoss(untilEvent(client.connection, ['readyForQuery', 'end'])).catch(() => {});
}
