import { describe, expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import {
  bigint,
  columnOf,
  int,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
  tableOf,
} from './tables.ts';
import type { Body } from './harness.ts';
import type { ErrorCode } from '../../../src/model/errors.ts';

const unique = { name: 'ruled_code', unique: true, constraint: true, parts: [{ column: 'code' }] };
const byIndex = { name: 'ruled_pair', unique: true, parts: [{ column: 'code' }, { column: 'n' }] };

const tables = [
  tableWithId('targets', [optional('t', name)]),
  tableWithId(
    'ruled',
    [
      columnOf('code', name),
      columnOf('n', int, { default: '1' }),
      optional('target_id', bigint),
      optional('short', { kind: 'text', length: 3 }),
    ],
    {
      indexes: [unique, byIndex],
      checks: [{ name: 'ruled_n', expression: 'n > 0' }],
      foreignKeys: [foreignKeyTo('targets', ['target_id'], { name: 'ruled_target' })],
    },
  ),
  tableOf('keyed', [columnOf('k', name)], { primaryKey: { columns: ['k'] } }),
];

const creations: readonly (readonly [title: string, table: string, body: Body, code: ErrorCode])[] =
  [
    ['a value that a unique key already contains', 'ruled', { code: 'taken' }, 'unique_violation'],
    ['a primary key that exists', 'ruled', { id: 1, code: 'other' }, 'unique_violation'],
    ['a text primary key that exists', 'keyed', { k: 'a' }, 'unique_violation'],
    [
      'a foreign key without a referenced row',
      'ruled',
      { code: 'x', target_id: 99 },
      'foreign_key_violation',
    ],
    ['NULL in a NOT NULL column', 'ruled', { code: null }, 'not_null_violation'],
    ['a NOT NULL column left out', 'ruled', { n: 5 }, 'not_null_violation'],
    ['a primary key left out', 'keyed', {}, 'not_null_violation'],
    ['a value that violates a check', 'ruled', { code: 'x', n: 0 }, 'check_violation'],
    ['a value of another type', 'ruled', { code: 'many', n: 'many' }, 'invalid_value'],
    ['an integer out of range', 'ruled', { code: 'large', n: 4294967296 }, 'invalid_value'],
    ['a text that is too long', 'ruled', { code: 'long', short: '1234' }, 'invalid_value'],
  ];

describeOnEachDatabase('error codes', (harness) => {
  harness.beforeTests(async () => {
    await harness.createTables(tables);
    await harness.create('targets', { t: null });
    await harness.insertRows('ruled', [
      { code: 'taken', target_id: 1 },
      { code: 'second', target_id: null },
    ]);
    await harness.insertRows('keyed', [{ k: 'a' }]);
  });

  describe('of a new row', () => {
    test.each(creations)('%s', async (_title, table, body, code) => {
      const failure = await failureOf(harness.create(table, body));
      expect(failure).toMatchObject({ code });
      expect(failure.message).toMatch(/^[A-Z"].*\.$/s);
    });
  });

  describe('of a change', () => {
    test.each([
      ['to a value that a unique key already contains', { code: 'taken' }, 'unique_violation'],
      ['to a key that exists', { id: 1 }, 'unique_violation'],
      ['to a foreign key without a referenced row', { target_id: 99 }, 'foreign_key_violation'],
      ['to NULL in a NOT NULL column', { code: null }, 'not_null_violation'],
      ['to a value that violates a check', { n: -1 }, 'check_violation'],
    ] as const)('%s', async (_title, body, code) => {
      expect(await failureOf(harness.update('ruled', '2', { body }))).toMatchObject({ code });
    });
  });

  test('of deleting a row that other rows reference', async () => {
    expect(await failureOf(harness.remove('targets', '1'))).toMatchObject({
      code: 'foreign_key_violation',
    });
  });

  test('name the violated constraint', async () => {
    expect(await failureOf(harness.create('ruled', { code: null }))).toMatchObject({
      column: 'code',
    });
    expect((await failureOf(harness.create('ruled', { code: 'x', n: 0 }))).message).toContain(
      'ruled_n',
    );
  });

  test('contain no SQL, no value of another row and no stack', async () => {
    for (const [, table, body, code] of creations) {
      if (code === 'invalid_value') continue;
      const failure = await failureOf(harness.create(table, body));
      expect(JSON.stringify(failure)).not.toMatch(
        /INSERT|SELECT|second|node_modules|at Object|\.ts:/,
      );
    }
  });

  test('of the same mistake are the same in raw SQL', async () => {
    const statements = [
      ["INSERT INTO ruled (code) VALUES ('taken')", 'unique_violation'],
      ["INSERT INTO ruled (code, target_id) VALUES ('y', 99)", 'foreign_key_violation'],
      ['INSERT INTO ruled (code) VALUES (NULL)', 'not_null_violation'],
      ["INSERT INTO ruled (code, n) VALUES ('y', 0)", 'check_violation'],
      ['SELECT * FROM nowhere_at_all', 'invalid_parameter'],
      ['SELECT no_such_column FROM ruled', 'invalid_parameter'],
      ['SELECT FROM WHERE', 'invalid_parameter'],
    ] as const;
    for (const [query, code] of statements) {
      expect(await failureOf(harness.sql(query)), query).toMatchObject({ code });
    }
  });
});
