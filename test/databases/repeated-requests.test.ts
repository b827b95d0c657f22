/**
 * Requests with an Idempotency-Key whose database fails: what wrote nothing is carried out again with its key, what
 * was written never is, and nobody learns more than the studio knows. At two copies that share a state folder.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { fileBody, jsonBody, requestSender } from '../security/send-request.ts';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';
import type { SendRequest } from '../security/send-request.ts';

/** What happens to the connections between the studio and its server. */
type Fate = 'works' | 'refused' | 'locked' | 'lost before the commit' | 'lost after the commit';

const servers = {
  postgres: {
    create: postgres.createTestDatabase,
    lock: async (url: string) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query('BEGIN');
      await client.query('LOCK TABLE items');
      return () => client.end();
    },
  },
  mariadb: {
    create: mariadb.createTestDatabase,
    lock: async (url: string) => {
      const client = await mysql.createConnection(url);
      await client.query('LOCK TABLES items WRITE');
      return () => client.end();
    },
  },
};

interface Network {
  readonly port: number;
  fate: Fate;
}

async function startNetwork(port: number): Promise<Network> {
  const network = { port: 0, fate: 'works' as Fate };
  const sockets = new Set<Socket>();
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    if (network.fate === 'refused') return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    upstream.on('data', (chunk) => void client.write(chunk));
    client.on('data', (chunk) => {
      const commits = chunk.toString('latin1').includes('COMMIT');
      if (network.fate === 'refused') return cut();
      if (commits && network.fate === 'lost before the commit') return cut();
      if (commits && network.fate === 'lost after the commit')
        return void upstream.write(chunk, cut);
      upstream.write(chunk);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    cut();
    server.close();
  });
  network.port = (server.address() as AddressInfo).port;
  return network;
}

const sent = fc.record({
  copy: fc.nat(1),
  key: fc.constantFrom('a', 'b', 'c'),
  fate: fc.constantFrom<Fate>(
    'works',
    'refused',
    'locked',
    'lost before the commit',
    'lost after the commit',
  ),
});

function send(request: SendRequest, key: string): ReturnType<SendRequest> {
  const isImport = key.startsWith('a') || key.startsWith('b');
  const path = isImport ? '/import/data?table=items' : '/tables/items/rows';
  const init = isImport ? fileBody('items.csv', `name\n${key}\n`) : jsonBody({ name: key });
  const headers = { ...(init.headers as Record<string, string>), 'Idempotency-Key': key };
  return request(path, { ...init, headers });
}

describe.each(Object.entries(servers))('%s', (_name, server) => {
  test('a repeated request is carried out if it has certainly written nothing', async () => {
    const database = await server.create();
    onTestFinished(() => database.drop());
    await database.query('CREATE TABLE items (name VARCHAR(50))');
    const url = new URL(database.url);
    const network = await startNetwork(Number(url.port));
    url.port = String(network.port);
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-repeated-'));
    onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
    const copies: SendRequest[] = [];
    for (let i = 0; i < 2; i += 1) {
      const studio = await createStudio({ url: url.href, stateDir, statementTimeoutMs: 1000 });
      onTestFinished(() => studio.close());
      copies.push(requestSender(studio));
    }
    let run = 0;
    const carryOut = async (copy: number, key: string, fate: Fate): ReturnType<SendRequest> => {
      // An import has no time limit.
      const unlock =
        fate === 'locked' && key.startsWith('c') ? await server.lock(database.url) : undefined;
      network.fate = fate;
      try {
        return await send(copies[copy]!, key);
      } finally {
        network.fate = 'works';
        await unlock?.();
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 4, maxLength: 7 }), async (requests) => {
        run += 1;
        const ends = new Map<string, string>();
        for (const { copy, fate, ...request } of requests) {
          const key = `${request.key}${run}`;
          const earlier = ends.get(key);
          const { status, text, json } = await carryOut(copy, key, fate);
          if (earlier === 'unknown') expect(json).toMatchObject({ code: 'outcome_unknown' });
          else if (earlier !== undefined) expect(text).toBe(earlier);
          else if (status < 300) ends.set(key, text);
          else {
            expect([503, 504], text).toContain(status);
            expect(fate).not.toBe('works');
            expect(json).not.toHaveProperty('outcome');
            if (String(json['error']).includes('check whether')) ends.set(key, 'unknown');
          }
        }
        for (const name of new Set(requests.map(({ key }) => `${key}${run}`))) {
          const rows = await database.query(`SELECT name FROM items WHERE name = '${name}'`);
          const end = ends.get(name);
          if (end === 'unknown') expect(rows.length).toBeLessThanOrEqual(1);
          else expect(rows, name).toHaveLength(end === undefined ? 0 : 1);
        }
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});
