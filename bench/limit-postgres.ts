/**
 * The minimal server for PostgreSQL: node:http, a pool of `pg`, one prepared statement per request,
 * JSON.stringify. No total, no exact numbers, no validation.
 */
import { Pool } from 'pg';
import type { QueryConfig } from 'pg';
import { respond, listen } from './limit-http.ts';

const pool = new Pool({ connectionString: process.argv[2], max: 10 });

/** Serves the same paths as `limit-server.ts`. */
function statementFor(url: string): QueryConfig {
  const queryStart = url.indexOf('?');
  if (queryStart < 0)
    return {
      name: 'row',
      text: 'SELECT * FROM events WHERE id = $1',
      values: [url.slice('/rows/'.length)],
    };
  const query = new URLSearchParams(url.slice(queryStart + 1));
  const limit = query.get('limit');
  const after = query.get('after');
  if (after !== null)
    return {
      name: 'after',
      text: 'SELECT * FROM events WHERE id > $1 ORDER BY id LIMIT $2',
      values: [after, limit],
    };
  const user = query.get('user_id');
  if (user !== null)
    return {
      name: 'user',
      text: 'SELECT * FROM events WHERE user_id = $1 ORDER BY id LIMIT $2',
      values: [user, limit],
    };
  return {
    name: 'page',
    text: 'SELECT * FROM events ORDER BY id LIMIT $1 OFFSET $2',
    values: [limit, query.get('offset')],
  };
}

listen(async (request, response) => {
  const url = request.url ?? '';
  const { rows } = await pool.query(statementFor(url));
  respond(response, 200, url.includes('?') ? { data: rows } : rows[0]);
});
