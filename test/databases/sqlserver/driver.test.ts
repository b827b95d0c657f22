import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';

import { openSqlserver } from '../../../src/databases/sqlserver/database.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { testLeavingTheQueue } from '../leaving-the-queue.ts';
import { count, failure, rows, snapshots, startPeer } from './tds-peer.ts';
import type { Query } from '../../../src/model/database.ts';
import type { PeerResponse, Peer, PeerOptions } from './tds-peer.ts';
import type { Database } from '../registered-databases.ts';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close();
});

function closeAfterTest<T extends { close(): Promise<void> }>(thing: T): T {
  opened.push(thing);
  return thing;
}

async function open(
  options: PeerOptions = {},
  parameters = '',
): Promise<{ peer: Peer; database: Database }> {
  const peer = closeAfterTest(await startPeer(options));
  const database = await openSqlserver({
    url: peer.url + parameters,
    readOnly: false,
    create: false,
  });
  return { peer, database: closeAfterTest(database) };
}

function openAt(peer: Peer, parameters: string): Promise<Database> {
  return openSqlserver({ url: peer.url + parameters, readOnly: false, create: false });
}

const statement = (text: string): Query => ({ text, params: [] });

/** Responds to one statement in this way, and to all others by default. */
const onlyTo =
  (text: string, response: PeerResponse) =>
  (statementText: string): PeerResponse => {
    if (statementText.includes('snapshot_isolation_state')) return snapshots(false);
    return statementText === text ? response : [];
  };

async function failureOf(work: Promise<unknown>): Promise<StudioError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StudioError) return error;
  throw new Error(`It did not fail as it should: ${String(error)}`);
}

describe('encryption', () => {
  test('that the URL requires and the server does not support is an error before any login', async () => {
    const peer = closeAfterTest(await startPeer());
    for (const parameters of ['&encrypt=true', '&encrypt=true&trustServerCertificate=true']) {
      const error = await failureOf(openAt(peer, parameters));
      expect(error).toMatchObject({ code: 'database_unavailable' });
      expect(error.message).toContain('the server does not support TLS');
    }
    expect(peer.loggedIn).toBe(false);
  });

  test('from the first byte does not fall back to plain text either', async () => {
    const peer = closeAfterTest(await startPeer());
    const error = await failureOf(openAt(peer, '&encrypt=strict&connectTimeout=1'));
    expect(error).toMatchObject({ code: 'database_unavailable' });
    expect(peer.loggedIn).toBe(false);
  });

  test('that the server requires and the URL forbids is reported', async () => {
    const peer = closeAfterTest(await startPeer({ encryption: 'required' }));
    const error = await failureOf(openAt(peer, '&encrypt=false'));
    expect(error.message).toContain('the server accepts only encrypted connections');
    expect(peer.loggedIn).toBe(false);
  });
});

describe('a login', () => {
  test('that is rejected is reported without user name and password', async () => {
    const loginError = { number: 18_456, message: "Login failed for user 'sa'." };
    const peer = closeAfterTest(await startPeer({ loginError }));
    const error = await failureOf(openAt(peer, '&encrypt=false'));
    expect(error).toMatchObject({ code: 'database_unavailable' });
    expect(error.message).toMatch(/rejected the login/);
    expect(error.message).not.toMatch(/\bsa\b|secret|127/);
  });

  test('to a database that does not exist is reported', async () => {
    const loginError = { number: 4060, message: 'Cannot open database "peer" …' };
    const peer = closeAfterTest(await startPeer({ loginError }));
    expect((await failureOf(openAt(peer, ''))).message).toMatch(/no database of that name/);
  });

  test('to a port without a server is reported', async () => {
    const peer = await startPeer();
    await peer.close();
    const error = await failureOf(openAt(peer, ''));
    expect(error).toMatchObject({ code: 'database_unavailable' });
    expect(error.message).toContain('no server listens at this address');
  });
});

describe('a statement', () => {
  test('returns its rows and columns', async () => {
    const response = onlyTo('SELECT a, b FROM t', rows(['a', 'b'], [[1, 2], [3, 4]])); // prettier-ignore
    const { database } = await open({ response });
    const result = await database.run(statement('SELECT a, b FROM t'));
    expect(result.rows).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(result.columns).toEqual([
      { name: 'a', type: { kind: 'integer', bits: 32 }, nativeType: 'int' },
      { name: 'b', type: { kind: 'integer', bits: 32 }, nativeType: 'int' },
    ]);
  });

  test('returns its own row count, not that of its triggers', async () => {
    const { database } = await open({ response: onlyTo('DELETE FROM t', [count(7), count(1)]) });
    expect((await database.run(statement('DELETE FROM t'))).rowsAffected).toBe(1);
  });

  test('that writes streams the rows of its OUTPUT, and not those of a trigger', async () => {
    const text = 'DELETE FROM t OUTPUT deleted.a';
    const responses = [...rows(['a'], [[1], [2]]), ...rows(['b', 'c'], [['x', 'y']])];
    const { database } = await open({ response: onlyTo(text, responses) });
    const { columns, batches } = await database.stream(statement(text));
    const streamed = [];
    for await (const batch of batches) streamed.push(...batch);
    expect([columns.map(({ name }) => name), streamed]).toEqual([['a'], [[1], [2]]]);
  });

  test('that writes without rows returns its count after a stream', async () => {
    const { database } = await open({ response: onlyTo('DELETE FROM t', [count(7), count(1)]) });
    const { batches, rowsAffected } = await database.stream(statement('DELETE FROM t'));
    for await (const batch of batches) expect(batch).toEqual([]);
    expect(rowsAffected?.()).toBe(1);
  });

  test('that exceeds its time limit is ended by an attention, and the connection stays usable', async () => {
    const { peer, database } = await open({ response: onlyTo('WAIT', 'silence') });
    const error = await failureOf(database.run(statement('WAIT'), { limitMs: 50 }));
    expect(error).toMatchObject({ code: 'statement_timeout' });
    expect(peer.attentions).toBe(1);
    await database.run(statement('SELECT 1'));
    expect(peer.connections).toBe(1);
  });

  test('whose caller disconnects is ended by an attention', async () => {
    const { peer, database } = await open({ response: onlyTo('WAIT', 'silence') });
    const caller = new AbortController();
    const running = database.run(statement('WAIT'), { signal: caller.signal });
    await until(() => peer.statements.includes('WAIT'));
    caller.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    expect(peer.attentions).toBe(1);
  });

  test('of a client that has already disconnected is not sent', async () => {
    const { peer, database } = await open();
    const running = database.run(statement('WAIT'), { signal: AbortSignal.abort() });
    await expect(running).rejects.toThrow();
    expect(peer.statements).not.toContain('WAIT');
  });

  test('that ignores the attention is ended with its connection', async () => {
    const { peer, database } = await open({
      ignoresAttentions: true,
      response: onlyTo('WAIT', 'silence'),
    });
    const error = await failureOf(database.run(statement('WAIT'), { limitMs: 50 }));
    expect(error).toMatchObject({ code: 'statement_timeout' });
    await database.run(statement('SELECT 1'));
    expect(peer.connections).toBe(2);
  }, 20_000);

  test('fails as unavailable if the server stops', async () => {
    const { database } = await open({ response: onlyTo('WAIT', 'hang up') });
    const error = await failureOf(database.run(statement('WAIT')));
    expect(error).toMatchObject({ code: 'database_unavailable' });
  });

  test('with several errors fails with the first known one', async () => {
    const { database } = await open({
      response: onlyTo('INSERT', [failure(2627, "… constraint 'pk'. …"), failure(3609, 'Ended.')]),
    });
    await expect(database.run(statement('INSERT'))).rejects.toSatisfy(
      (error) => database.dialect.translateError(error)?.code === 'unique_violation',
    );
  });
});

describe('a stream', () => {
  const many = Array.from({ length: 5000 }, (_, i) => [`row ${i}`]);

  test('returns all rows in batches', async () => {
    const { database } = await open({ response: onlyTo('SELECT', rows(['t'], many)) });
    const { columns, batches } = await database.stream(statement('SELECT'));
    expect(columns.map(({ name }) => name)).toEqual(['t']);
    const found = [];
    for await (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(500);
      found.push(...batch);
    }
    expect(found).toEqual(many);
  });

  test('that is closed early ends the statement and releases the connection', async () => {
    const { peer, database } = await open({
      response: onlyTo('SELECT', rows(['t'], [...many, ...many, ...many, ...many])),
    });
    for await (const batch of (await database.stream(statement('SELECT'))).batches) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    expect(database.poolStats()).toMatchObject({ inUse: 0 });
    await database.run(statement('SELECT 1'));
    expect(peer.connections).toBe(1);
  });

  test('that fails releases its connection', async () => {
    const { database } = await open({
      response: onlyTo('SELECT', [failure(208, 'No such table.')]),
    });
    await expect(database.stream(statement('SELECT'))).rejects.toMatchObject({ number: 208 });
    expect(database.poolStats()).toMatchObject({ inUse: 0 });
  });
});

describe('a transaction', () => {
  test('that writes is committed', async () => {
    const { peer, database } = await open();
    await database.transaction('write', (session) => session.run(statement('UPDATE')));
    expect(peer.statements.slice(2)).toEqual([
      'SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN TRANSACTION',
      'UPDATE',
      'COMMIT TRANSACTION',
    ]);
  });

  test('that fails is rolled back', async () => {
    const { peer, database } = await open({
      response: onlyTo('UPDATE', [failure(547, 'The UPDATE statement conflicted …')]),
    });
    await expect(
      database.transaction('write', (session) => session.run(statement('UPDATE'))),
    ).rejects.toMatchObject({ number: 547 });
    expect(peer.statements.at(-1)).toMatch(/^IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION/);
    expect(peer.statements).not.toContain('COMMIT TRANSACTION');
  });

  test.each([
    [true, 'SNAPSHOT'],
    [false, 'READ COMMITTED'],
  ])('that reads is always rolled back; snapshots allowed: %s', async (allowed, level) => {
    const { peer, database } = await open({
      response: (statementText) =>
        statementText.includes('snapshot_isolation_state') ? snapshots(allowed) : [],
    });
    await database.transaction('read', (session) => session.run(statement('SELECT 1')));
    expect(peer.statements.slice(2)).toEqual([
      `SET TRANSACTION ISOLATION LEVEL ${level}; BEGIN TRANSACTION`,
      'SELECT 1',
      'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; SET TRANSACTION ISOLATION LEVEL READ COMMITTED',
    ]);
  });

  test('that writes is rejected by a read-only studio', async () => {
    const peer = closeAfterTest(await startPeer());
    const database = closeAfterTest(
      await openSqlserver({ url: peer.url, readOnly: true, create: false }),
    );
    const error = await failureOf(
      database.transaction('write', (session) => session.run(statement('UPDATE'))),
    );
    expect(error).toMatchObject({ code: 'read_only' });
    expect(peer.statements).not.toContain('UPDATE');
  });
});

describe('connections', () => {
  test('are no more than the limit; further callers wait', async () => {
    const { peer, database } = await open({}, '&pool_max_conns=2');
    await Promise.all(
      Array.from({ length: 6 }, () => database.read(() => setTimeout(20).then(() => 1))),
    );
    expect(peer.connections).toBe(2);
    expect(database.poolStats().waitCount).toBe(4);
  });

  testLeavingTheQueue(async () => openAt(closeAfterTest(await startPeer()), '&pool_max_conns=1'));

  test('that are lost with the server are replaced when it is back', async () => {
    const { peer, database } = await open();
    await peer.close();
    expect(await failureOf(database.run(statement('SELECT 1')))).toMatchObject({
      code: 'database_unavailable',
    });
    const back = closeAfterTest(await startPeer({}, peer.port));
    await database.run(statement('SELECT 1'));
    expect(back.statements).toContain('SELECT 1');
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5);
}
