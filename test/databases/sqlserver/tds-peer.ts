/** A fake SQL Server that implements the part of TDS which the driver needs. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** The response to a statement: `silence` sends nothing, `hang up` closes the connection. */
export type PeerResponse = readonly Buffer[] | 'silence' | 'hang up';

export interface PeerOptions {
  /** Whether the peer supports or requires TLS. */
  readonly encryption?: 'none' | 'required';
  /** Rejects the login with this error. */
  readonly loginError?: { readonly number: number; readonly message: string };
  /** Returns the response to a statement. A statement without one ends only by an attention. */
  response?(statement: string): PeerResponse;
  /** Ignores attentions. */
  readonly ignoresAttentions?: boolean;
}

export interface Peer {
  readonly url: string;
  readonly port: number;
  /** Every received statement in order. */
  readonly statements: readonly string[];
  readonly attentions: number;
  readonly connections: number;
  /** Whether a login was received, even if it was rejected. */
  readonly loggedIn: boolean;
  close(): Promise<void>;
}

const packet = { batch: 1, rpc: 3, response: 4, attention: 6, login: 16, preLogin: 18 } as const;

export async function startPeer(options: PeerOptions = {}, port = 0): Promise<Peer> {
  const statements: string[] = [];
  const sockets = new Set<Socket>();
  const counters = { attentions: 0, connections: 0, loggedIn: false };
  const server = createServer((socket) => {
    sockets.add(socket);
    counters.connections++;
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let pending = false;
    readMessages(socket, (type, payload) => {
      if (type === packet.preLogin)
        send(socket, preLoginResponse(options.encryption === 'required'));
      else if (type === packet.login) {
        counters.loggedIn = true;
        send(socket, Buffer.concat(loginResponse(options.loginError)));
      } else if (type === packet.attention) {
        counters.attentions++;
        if (options.ignoresAttentions === true) return;
        if (pending) send(socket, done(0));
        pending = false;
        send(socket, attentionResponse);
      } else {
        const statement = statementOf(type, payload);
        statements.push(statement);
        const response = options.response?.(statement) ?? defaultResponse(statement);
        pending = response === 'silence';
        if (response === 'hang up') socket.destroy();
        else if (response !== 'silence') send(socket, Buffer.concat([...response, done(0)]));
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    port: at,
    url: `sqlserver://sa:secret@127.0.0.1:${at}?database=peer`,
    statements,
    get attentions() {
      return counters.attentions;
    },
    get connections() {
      return counters.connections;
    },
    get loggedIn() {
      return counters.loggedIn;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The response to the setup statement of a connection. Other statements return no rows. */
function defaultResponse(statement: string): PeerResponse {
  return statement.includes('snapshot_isolation_state') ? snapshots(false) : [];
}

export function snapshots(allowed: boolean): readonly Buffer[] {
  return rows(['snapshots'], [[allowed ? 1 : 0]]);
}

/** Joins the packets of each message. */
function readMessages(socket: Socket, handle: (type: number, payload: Buffer) => void): void {
  let received = Buffer.alloc(0);
  let message: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 8 && received.length >= received.readUInt16BE(2)) {
      const length = received.readUInt16BE(2);
      const [type = 0, status = 0] = received;
      message.push(received.subarray(8, length));
      received = received.subarray(length);
      if ((status & 1) === 0) continue;
      const wholeMessage = Buffer.concat(message);
      message = [];
      // The driver canceled the message before it was complete, but still waits for a response.
      if ((status & 2) !== 0) send(socket, done(0));
      else handle(type, wholeMessage);
    }
  });
}

const maxPayloadBytes = 4000;

function send(socket: Socket, payload: Buffer): void {
  for (let start = 0; start === 0 || start < payload.length; start += maxPayloadBytes) {
    const part = payload.subarray(start, start + maxPayloadBytes);
    const isLast = start + maxPayloadBytes >= payload.length;
    const header = Buffer.from([packet.response, isLast ? 1 : 0, 0, 0, 0, 0, 1, 0]);
    header.writeUInt16BE(part.length + 8, 2);
    socket.write(Buffer.concat([header, part]));
  }
}

function preLoginResponse(isEncrypted: boolean): Buffer {
  const version = Buffer.from([16, 0, 0, 0, 0, 0]);
  const options = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff]);
  return Buffer.concat([options, version, Buffer.from([isEncrypted ? 3 : 2])]);
}

function loginResponse(error: PeerOptions['loginError']): readonly Buffer[] {
  return error === undefined
    ? [loginAck(), done(0)]
    : [failure(error.number, error.message), done(2)];
}

function loginAck(): Buffer {
  const body = Buffer.concat([
    Buffer.from([1, 0x74, 0, 0, 4]),
    shortText('Peer'),
    Buffer.from([16, 0, 0, 0]),
  ]);
  return Buffer.concat([Buffer.from([0xad]), uint16(body.length), body]);
}

/** An error token of the server. */
export function failure(number: number, message: string): Buffer {
  const head = Buffer.alloc(6);
  head.writeInt32LE(number);
  head.set([1, 16], 4);
  const text = Buffer.concat([uint16(message.length), Buffer.from(message, 'ucs2')]);
  const body = Buffer.concat([head, text, shortText('peer'), shortText(''), Buffer.alloc(4)]);
  return Buffer.concat([Buffer.from([0xaa]), uint16(body.length), body]);
}

const countIsValid = 0x10;
const attentionBit = 0x20;

function done(status: number): Buffer {
  return Buffer.concat([Buffer.from([0xfd]), uint16(status), uint16(0), Buffer.alloc(8)]);
}

const attentionResponse = done(attentionBit);

/** The row count of a nested statement: that of a trigger comes before that of the statement itself. */
export function count(rowsAffected: number): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(BigInt(rowsAffected));
  return Buffer.concat([Buffer.from([0xff]), uint16(countIsValid | 1), uint16(0), number]);
}

/** A result of integers, or of texts. */
export function rows(
  columns: readonly string[],
  values: readonly (readonly (number | string)[])[],
): readonly Buffer[] {
  const isText = typeof values[0]?.[0] === 'string';
  const type = isText ? [0xe7, 0x40, 0x1f, 0, 0, 0, 0, 0] : [0x26, 4];
  const metadata = columns.map((name) =>
    Buffer.concat([Buffer.alloc(6), Buffer.from(type), shortText(name)]),
  );
  const cell = (value: number | string): Buffer =>
    typeof value === 'string' ? textCell(value) : integerCell(value);
  return [
    Buffer.concat([Buffer.from([0x81]), uint16(columns.length), ...metadata]),
    ...values.map((row) => Buffer.concat([Buffer.from([0xd1]), ...row.map(cell)])),
    count(values.length),
  ];
}

function integerCell(value: number): Buffer {
  const cell = Buffer.alloc(5);
  cell[0] = 4;
  cell.writeInt32LE(value, 1);
  return cell;
}

function textCell(text: string): Buffer {
  return Buffer.concat([uint16(text.length * 2), Buffer.from(text, 'ucs2')]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function shortText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'ucs2')]);
}

/** The text of a batch is everything after the headers. That of sp_executesql is the first parameter. */
function statementOf(type: number, payload: Buffer): string {
  const body = payload.subarray(payload.readUInt32LE());
  if (type === packet.batch) return body.toString('ucs2');
  const parameter = body.subarray(6);
  const value = parameter.subarray(1 + (parameter[0] ?? 0) * 2 + 1 + 8);
  return value.toString('ucs2', 2, 2 + value.readUInt16LE());
}
