import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoRows } from '../../src/demo/rows.ts';
import { demoSchema } from '../../src/demo/schema.ts';
import type { Value } from '../../src/model/values.ts';
import { openDemo } from './open-demo.ts';

let demo: Sqlite.Database;

beforeAll(async () => {
  demo = await openDemo();
});

/** The single value of a query. */
function value(sql: string): unknown {
  return demo.prepare(sql).pluck().get();
}

function count(from: string): number {
  return Number(value(`SELECT count(*) FROM ${from}`));
}

describe('the rows', () => {
  test('are the same bytes every time, unless demoVersion changes', () => {
    const hash = createHash('sha256');
    for (const { table, columns, rows } of demoRows()) {
      hash.update(JSON.stringify([table, columns]));
      for (const row of rows) hash.update(JSON.stringify(row.map(hashable)));
    }
    expect(hash.digest('hex')).toMatchInlineSnapshot(
      `"39299648c2ea5283ffc8f50d457fea47c64e5df1bb352f602a612028fb93f2e7"`,
    );
  });

  test('are a few thousand', () => {
    const total = demoRows().reduce((sum, { rows }) => sum + rows.length, 0);
    expect(total).toBeGreaterThan(6000);
    expect(total).toBeLessThan(9000);
  });

  test('are in the order of the foreign keys, and have only writable columns', () => {
    expect(demoRows().map(({ table }) => table)).toEqual(demoSchema.tables.map(({ name }) => name));
    for (const { table, columns } of demoRows()) {
      const writable = demoSchema.tables
        .find(({ name }) => name === table)
        ?.columns.filter((column) => !column.generated);
      expect(columns).toEqual(writable?.map(({ name }) => name));
    }
  });

  test('satisfy every constraint', () => {
    expect(demo.pragma('foreign_key_check')).toEqual([]);
    expect(demo.pragma('integrity_check', { simple: true })).toBe('ok');
    for (const { table, rows } of demoRows()) expect(count(table)).toBe(rows.length);
  });
});

function hashable(cell: Value): unknown {
  if (typeof cell === 'bigint') return `${cell}n`;
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell;
}

describe('the demo shows', () => {
  test('at most one profile per user', () => {
    expect(count('profiles')).toBe(Number(value('SELECT count(DISTINCT user_id) FROM profiles')));
    expect(() => demo.exec("INSERT INTO profiles (user_id, city) VALUES (1, 'x')")).toThrow(
      'UNIQUE constraint failed',
    );
  });

  test('posts of which a few are soft-deleted', () => {
    expect(count('posts WHERE deleted_at IS NOT NULL')).toBeGreaterThan(20);
    expect(count('posts WHERE deleted_at IS NULL')).toBeGreaterThan(400);
  });

  test('tags through a join table that is only its composite key', () => {
    const keys = demo.prepare("SELECT name, pk FROM pragma_table_info('post_tags')").raw().all();
    expect(keys).toEqual([
      ['post_id', 1n],
      ['tag_id', 2n],
    ]);
    expect(count('post_tags')).toBeGreaterThan(1000);
  });

  test('comments in threads at least three deep, each within its post', () => {
    const depth = value(`WITH RECURSIVE thread (id, depth) AS (
      SELECT id, 1 FROM comments WHERE parent_id IS NULL
      UNION ALL SELECT comments.id, depth + 1 FROM comments JOIN thread ON comments.parent_id = thread.id)
      SELECT max(depth) FROM thread`);
    expect(Number(depth)).toBeGreaterThanOrEqual(3);
    expect(
      count(
        'comments JOIN comments AS p ON p.id = comments.parent_id WHERE p.post_id <> comments.post_id',
      ),
    ).toBe(0);
    expect(count('users WHERE manager_id IS NOT NULL')).toBeGreaterThan(100);
  });

  test('a lookup table whose foreign key rejects unknown values', () => {
    expect(() => demo.exec("INSERT INTO formats VALUES ('scroll', 'Scroll', FALSE, 0.07)")).toThrow(
      'CHECK constraint failed',
    );
    expect(() => demo.exec("UPDATE orders SET status = 'lost'")).toThrow('CHECK constraint failed');
  });

  test('prices as decimals with all their digits', () => {
    const prices = demoRows()
      .find(({ table }) => table === 'editions')
      ?.rows.map((row) => row[3]);
    expect(prices?.every((price) => /^\d+\.\d\d$/.test(String(price)))).toBe(true);
    expect(prices?.some((price) => String(price).endsWith('0'))).toBe(true);
  });

  test('generated columns: a full name in the order of its language, a price with tax', () => {
    expect(
      value("SELECT full_name FROM users WHERE name_order = 'family' AND family_name = '佐藤'"),
    ).toMatch(/^佐藤 /);
    expect(value('SELECT full_name = given_name FROM users WHERE family_name IS NULL')).toBe(1n);
    expect(value('SELECT price_with_tax FROM editions WHERE price = 14 AND tax_rate = 0.07')).toBe(
      14.98,
    );
  });

  test('ids that a double cannot distinguish', () => {
    const ids = demo.prepare('SELECT id FROM orders').pluck().all() as bigint[];
    expect(ids).toContain(9007199254740993n);
    expect(ids.every((id) => BigInt(Number(id)) !== id)).toBe(true);
  });

  test('timestamps with and without time zone, and many time zones', () => {
    expect(count("posts WHERE created_at GLOB '????-??-?? ??:??:??'")).toBe(count('posts'));
    expect(
      Number(value('SELECT count(DISTINCT substr(last_seen_at, 20)) FROM users')),
    ).toBeGreaterThan(5);
    expect(count("readings WHERE starts_at GLOB '[12][0-9]:[0-9][0-9]:00'")).toBe(
      count('readings'),
    );
  });

  test('JSON with a number beyond 2^53', () => {
    const documents = [
      'profiles.languages',
      'profiles.settings',
      'books.metadata',
      'customers.address',
      'events.payload',
    ];
    for (const document of documents) {
      const [table = '', column = ''] = document.split('.');
      expect(count(`${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`)).toBe(0);
    }
    expect(count("events WHERE payload ->> '$.by.order' = 9007199254740993")).toBeGreaterThan(0);
  });

  test('a log table without a key', () => {
    expect(value("SELECT count(*) FROM pragma_table_info('events') WHERE pk > 0")).toBe(0n);
    expect(value('SELECT count(*) FROM pragma_index_list(\'events\') WHERE "unique"')).toBe(0n);
  });

  test('text keys that need escaping in a path', () => {
    const codes = demo.prepare('SELECT code FROM subjects').pluck().all();
    expect(codes).toEqual(
      expect.arrayContaining([
        'poetry, modern',
        'fiction/novel',
        'travel/100% rail',
        'nature/birds?',
        '..',
      ]),
    );
  });

  test('a composite key and columns outside of it', () => {
    expect(
      value("SELECT group_concat(name) FROM pragma_table_info('order_items') WHERE pk > 0"),
    ).toBe('order_id,line_number');
  });

  test('NULL beside the empty string', () => {
    for (const cell of ['posts.excerpt', 'customers.phone', 'orders.note', 'events.subject']) {
      const [table = '', column = ''] = cell.split('.');
      expect(count(`${table} WHERE ${column} IS NULL`)).toBeGreaterThan(0);
      expect(count(`${table} WHERE ${column} = ''`)).toBeGreaterThan(0);
    }
  });

  test('readable views', () => {
    expect(count('published_posts')).toBe(
      count("posts WHERE status = 'published' AND deleted_at IS NULL"),
    );
    expect(value('SELECT sum(comment_count) FROM published_posts')).toBeGreaterThan(0n);
    expect(count('book_sales')).toBeGreaterThan(50);
  });

  test.each([
    'Greek',
    'Cyrillic',
    'Han',
    'Hiragana',
    'Hangul',
    'Arabic',
    'Hebrew',
    'Devanagari',
    'Emoji_Presentation',
  ])('text in %s', (script) => {
    const names = demo
      .prepare(
        'SELECT full_name FROM users UNION SELECT title FROM books UNION SELECT body FROM comments',
      )
      .pluck()
      .all();
    const property = script === 'Emoji_Presentation' ? script : `Script=${script}`;
    expect(
      names.filter((name) => new RegExp(`\\p{${property}}`, 'u').test(String(name))).length,
    ).toBeGreaterThan(2);
  });
});

describe('the pictures', () => {
  test.each(['SELECT avatar FROM profiles', 'SELECT cover FROM books'])(
    'are small, complete PNG files: %s',
    (sql) => {
      const pictures = (demo.prepare(sql).pluck().all() as (Buffer | null)[]).filter(
        (picture) => picture !== null,
      );
      expect(pictures.length).toBeGreaterThan(50);
      for (const picture of pictures) {
        expect(picture.length).toBeLessThan(1200);
        expect(picture.toString('latin1', 1, 4)).toBe('PNG');
        const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
        expect(inflateSync(dataOf(picture)).length).toBe((width + 1) * height);
      }
    },
  );
});

/** The single IDAT chunk. */
function dataOf(picture: Buffer): Buffer {
  const start = picture.indexOf('IDAT');
  return picture.subarray(start + 4, start + 4 + picture.readUInt32BE(start - 4));
}
