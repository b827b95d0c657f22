/**
 * What Node and SQLite can do at most: node:http, one prepared statement a request, JSON.stringify,
 * no total, no exact numbers, no validation. Every commit of its own, synced to disk.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import SqliteDatabase from 'better-sqlite3';
import { makeEvent } from './database.ts';
import { respond, listen } from './limit-http.ts';
import { createRandom } from '../src/demo/random.ts';

const database = new SqliteDatabase(process.argv[2] ?? '');
database.pragma('synchronous = FULL');
database.pragma('mmap_size = 2147483648');

const page = database.prepare('SELECT * FROM events ORDER BY id LIMIT ? OFFSET ?');
const pageAfter = database.prepare('SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?');
const pageOfUser = database.prepare('SELECT * FROM events WHERE user_id = ? ORDER BY id LIMIT ?');
const row = database.prepare('SELECT * FROM events WHERE id = ?');
const names = Object.keys(makeEvent(createRandom('names'), 0));
const insert = database.prepare(
  `INSERT INTO events (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()}) RETURNING *`,
);

/** `/rows?limit=50&offset=0`, `/rows?limit=50&after=7`, `/rows?limit=50&user_id=7`, `/rows/7`. */
function read(url: string): unknown {
  const question = url.indexOf('?');
  if (question < 0) return row.get(Number(url.slice('/rows/'.length)));
  const query = new URLSearchParams(url.slice(question + 1));
  const limit = Number(query.get('limit'));
  const after = query.get('after');
  if (after !== null) return { data: pageAfter.all(Number(after), limit) };
  const user = query.get('user_id');
  if (user !== null) return { data: pageOfUser.all(Number(user), limit) };
  return { data: page.all(limit, Number(query.get('offset'))) };
}

/** One transaction an insert: that of the statement itself. */
function create(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    respond(response, 201, insert.get(JSON.parse(Buffer.concat(chunks).toString()))),
  );
}

listen((request, response) => {
  if (request.method === 'POST') create(request, response);
  else respond(response, 200, read(request.url ?? ''));
});
