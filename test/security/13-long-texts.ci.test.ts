/** A statement of the maximum length affects only its own request (SECURITY.md 13). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import { requestSender, jsonBody } from './send-request.ts';
import type { Studio } from '../../src/studio/studio.ts';

const postgres = usePostgres();

const maxStatementBytes = 2 ** 20;

function repeatToMaxLength(start: string, part: string): string {
  return start + part.repeat(Math.floor((maxStatementBytes - start.length) / part.length));
}

const mariadb = useMariadb();

describe('a text of a megabyte for MariaDB', () => {
  let studio: Studio;

  beforeAll(async () => {
    await mariadb().query('CREATE TABLE items (id int PRIMARY KEY)');
    studio = await createStudio({ url: mariadb().url });
  });
  afterAll(() => studio.close());

  test('that calls many functions is rejected without blocking later requests', async () => {
    const calls = Array.from({ length: 60_000 }, (_, i) => `f${i}()`).join();
    const ask = requestSender(studio);
    let isDone = false;
    const longRequest = ask('/sql', jsonBody({ query: `SELECT ${calls}` })).finally(
      () => (isDone = true),
    );
    for (let i = 0; i < 10; i++) {
      expect((await ask('/tables/items/rows')).status).toBe(200);
      expect(isDone, `request ${i} got its response after the long one`).toBe(false);
    }
    expect((await longRequest).json).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'query',
    });
  });
});

describe('a text of a megabyte', () => {
  let studio: Studio;

  beforeAll(async () => {
    await postgres().query('CREATE TABLE items (id int PRIMARY KEY)');
    studio = await createStudio({ url: postgres().url });
  });
  afterAll(() => studio.close());

  test.each([
    ['many columns', repeatToMaxLength('SELECT a.b', ',a.b')],
    ['many operators', repeatToMaxLength('SELECT 1', '+1')],
    ['many brackets', repeatToMaxLength('SELECT ', '(')],
  ])('of %s is rejected without blocking later requests', async (content, query) => {
    const ask = requestSender(studio);
    let isDone = false;
    const longRequest = ask('/sql', jsonBody({ query })).finally(() => (isDone = true));
    for (let i = 0; i < 10; i++) {
      const rows = await ask('/tables/items/rows');
      expect(rows.status, rows.text).toBe(200);
      expect(isDone, `${content}: request ${i} came to its answer too late`).toBe(false);
    }
    const { status, text, json } = await longRequest;
    expect(status, text.slice(0, 300)).toBe(400);
    expect(json).toMatchObject({ code: 'invalid_parameter', parameter: 'query' });
  });
});
