/**
 * The minimal server for SQLite, an upper limit of what Node and SQLite can do: node:http, one prepared
 * statement per request, JSON.stringify. No total, no exact numbers, no validation. Each insert is a
 * transaction of its own and is synced to disk.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import SqliteDatabase from 'better-sqlite3';
import { makeEvent } from './database.ts';
import { respond, listen } from './limit-http.ts';
import { createRandom } from '../src/demo/random.ts';

const database = new SqliteDatabase(process.argv[2] ?? '');
database.pragma('synchronous = FULL');
database.pragma('mmap_size = 2147483648');

/** Prepared at first use, because not every measured table has the columns that they name. */
function prepareOnce(makeText: () => string): () => SqliteDatabase.Statement {
  let statement: SqliteDatabase.Statement | undefined;
  return () => (statement ??= database.prepare(makeText()));
}

const page = prepareOnce(() => 'SELECT * FROM events ORDER BY id LIMIT ? OFFSET ?');
const pageAfter = prepareOnce(() => 'SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?');
const pageOfUser = prepareOnce(() => 'SELECT * FROM events WHERE user_id = ? ORDER BY id LIMIT ?');
const row = prepareOnce(() => 'SELECT * FROM events WHERE id = ?');
const insert = prepareOnce(() => {
  const names = Object.keys(makeEvent(createRandom('names'), 0));
  return `INSERT INTO events (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()}) RETURNING *`;
});

/** `/rows?limit=50&offset=0`, `/rows?limit=50&after=7`, `/rows?limit=50&user_id=7`, `/rows/7`. */
function read(url: string): unknown {
  const queryStart = url.indexOf('?');
  if (queryStart < 0) return row().get(Number(url.slice('/rows/'.length)));
  const query = new URLSearchParams(url.slice(queryStart + 1));
  const limit = Number(query.get('limit'));
  const after = query.get('after');
  if (after !== null) return { data: pageAfter().all(Number(after), limit) };
  const user = query.get('user_id');
  if (user !== null) return { data: pageOfUser().all(Number(user), limit) };
  return { data: page().all(limit, Number(query.get('offset'))) };
}

/** Each insert is an autocommit transaction. */
function insertRow(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    respond(response, 201, insert().get(JSON.parse(Buffer.concat(chunks).toString()))),
  );
}

listen((request, response) => {
  if (request.method === 'POST') insertRow(request, response);
  else respond(response, 200, read(request.url ?? ''));
});
