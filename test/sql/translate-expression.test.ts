import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { neutralSyntax } from '../../src/sql/expression/neutral.ts';
import { translateExpression } from '../../src/sql/translate-expression.ts';
import { columnOf } from './neutral-schema.ts';
import type { ColumnType } from '../../src/model/schema.ts';
import type { ExpressionSyntax, ExpressionUse } from '../../src/sql/translate-expression.ts';
import { databaseKinds } from '../databases/registered-databases.ts';

const columns = [
  columnOf('a', { kind: 'integer', bits: 32 }),
  columnOf('price', { kind: 'decimal', precision: 10, scale: 2 }),
  columnOf('active', { kind: 'boolean' }),
  columnOf('status', { kind: 'text' }),
  columnOf('Order', { kind: 'text' }),
  columnOf('made', { kind: 'timestamp' }),
];

function syntaxOf(name: string): ExpressionSyntax {
  const kind = databaseKinds.find(({ dialect }) => dialect.name === name);
  return kind === undefined ? neutralSyntax : kind.expressions;
}

interface TranslationCase {
  readonly from: string;
  readonly use: ExpressionUse;
  readonly type?: ColumnType;
}

/** The expression in each target dialect; null if it cannot be translated. */
function translateTo(
  text: string,
  { from, use, type }: TranslationCase,
  targets: readonly string[],
): object {
  const each = targets.map((name) => {
    const options = { from: syntaxOf(from), to: syntaxOf(name), use, columns };
    const translation = translateExpression(
      text,
      type === undefined ? options : { ...options, type },
    );
    return [name, translation ?? null] as const;
  });
  return Object.fromEntries(each);
}

const translateCheck = (text: string, from: string, targets: readonly string[]): object =>
  translateTo(text, { from, use: 'check' }, targets);

describe('a check', () => {
  test("of a list as PostgreSQL's catalog writes it becomes IN", () => {
    const text = `((status)::text = ANY ((ARRAY['G'::character varying, 'it''s'::character varying])::text[]))`;
    expect(translateCheck(text, 'postgres', ['mysql', 'sqlite', 'sqlserver'])).toEqual({
      mysql: "`status` IN ('G', 'it''s')",
      sqlite: `"status" IN ('G', 'it''s')`,
      sqlserver: "[status] IN (N'G', N'it''s')",
    });
  });

  test('with <> ALL becomes NOT IN', () => {
    expect(translateCheck('(a <> ALL (ARRAY[1, 2]))', 'postgres', ['sqlite'])).toEqual({
      sqlite: '"a" NOT IN (1, 2)',
    });
  });

  test('of a boolean compares with a number in databases without booleans', () => {
    const text = 'active AND NOT active = true OR a > -1';
    expect(translateCheck(text, 'postgres', ['mysql', 'sqlserver'])).toEqual({
      mysql: '(`active` AND NOT (`active` = TRUE)) OR `a` > -1',
      sqlserver: '([active] = 1 AND NOT ([active] = 1)) OR [a] > -1',
    });
  });

  test('of a number used as a boolean gets a comparison where the types differ', () => {
    expect(translateCheck('`a` and `active` in (0,1)', 'mysql', ['postgres'])).toEqual({
      postgres: '"a" <> 0 AND "active" IN (FALSE, TRUE)',
    });
  });

  test('keeps the precedence of operators', () => {
    expect(
      translateCheck('(a + 1) * 2 > 3 and not (a = 1 or a = 2)', 'sqlite', ['postgres']),
    ).toEqual({
      postgres: '(("a" + 1) * 2) > 3 AND NOT ("a" = 1 OR "a" = 2)',
    });
    expect(translateCheck('a - (1 - 2) > 0', 'sqlite', ['postgres'])).toEqual({
      postgres: '("a" - (1 - 2)) > 0',
    });
  });

  test('finds columns regardless of quotes, and writes their exact names', () => {
    expect(
      translateCheck('[order]<>(N\'\') AND "STATUS" IS NOT NULL', 'sqlserver', [
        'postgres',
        'mysql',
      ]),
    ).toEqual({
      postgres: `"Order" <> '' AND "status" IS NOT NULL`,
      mysql: "`Order` <> '' AND `status` IS NOT NULL",
    });
  });

  test('can use the current time only if the database allows it', () => {
    expect(
      translateCheck('made <= getdate()', 'sqlserver', ['postgres', 'mysql', 'sqlite']),
    ).toEqual({
      postgres: '"made" <= CURRENT_TIMESTAMP',
      mysql: null,
      sqlite: null,
    });
  });

  test('with LIKE is translated if it ignores case in both databases or in neither', () => {
    expect(translateCheck("status LIKE '%@%'", 'postgres', ['mysql'])).toEqual({
      mysql: "`status` LIKE '%@%'",
    });
    expect(translateCheck("status LIKE 'A%'", 'postgres', ['mysql'])).toEqual({ mysql: null });
    expect(translateCheck("status LIKE 'A%'", 'sqlite', ['mysql'])).toEqual({
      mysql: "`status` LIKE 'A%'",
    });
  });

  test.each([
    ['a function that others do not have', 'json_valid(`status`)', 'mysql'],
    ['a regular expression', "status ~ '^x'", 'postgres'],
    ['a subquery', 'a IN (SELECT 1)', 'sqlite'],
    ['an unknown column', 'nothing > 0', 'sqlite'],
    ['text after its end', 'a > 0; DROP TABLE t', 'sqlite'],
    ['a division that is an integer division elsewhere', 'a / 2 > 1', 'mysql'],
    ['a collation', "status = 'x' COLLATE NOCASE", 'sqlite'],
    ['a quote without an end', "status = 'x", 'sqlite'],
  ])('is not translated with %s', (_name, text, from) => {
    expect(
      translateCheck(
        text,
        from,
        ['postgres'].filter((name) => name !== from),
      ),
    ).toEqual(from === 'postgres' ? {} : { postgres: null });
    expect(translateCheck(text, from, ['sqlserver'])).toEqual({ sqlserver: null });
  });
});

const types = {
  integer: { kind: 'integer', bits: 32 },
  boolean: { kind: 'boolean' },
  text: { kind: 'text' },
  timestamp: { kind: 'timestamp' },
  date: { kind: 'date' },
  binary: { kind: 'binary' },
  array: { kind: 'array', of: { kind: 'text' } },
  uuid: { kind: 'uuid' },
  json: { kind: 'json' },
  bits: { kind: 'bits', length: 4 },
} as const satisfies Record<string, ColumnType>;

describe('a default', () => {
  const cases: readonly (readonly [
    keyof typeof types,
    string,
    string,
    Record<string, string | null>,
  ])[] = [
    ['integer', 'postgres', "'0'::bigint", { mysql: '0', sqlite: '0' }],
    ['integer', 'sqlserver', '((0))', { postgres: '0' }],
    ['integer', 'mysql', "'-1'", { postgres: '-1' }],
    ['integer', 'postgres', 'true', { mysql: '1' }],
    ['integer', 'mysql', "'x'", { postgres: null }],
    ['boolean', 'mysql', "'0'", { postgres: 'FALSE', sqlserver: 'FALSE' }],
    ['boolean', 'mysql', "b'1'", { postgres: 'TRUE' }],
    ['boolean', 'sqlserver', 'CONVERT([bit],(1))', { postgres: 'TRUE' }],
    ['integer', 'sqlserver', '(-$5)', { postgres: '-5', sqlite: '-5' }],
    ['text', 'sqlserver', "dbo.trim('x')", { postgres: null }],
    ['text', 'mysql', "shop.trim('x')", { postgres: null }],
    ['timestamp', 'sqlserver', "{ts '2020-01-01 00:00:00'}", { postgres: "'2020-01-01 00:00:00'" }],
    ['timestamp', 'sqlserver', '{fn CURRENT_TIMESTAMP()}', { mysql: 'CURRENT_TIMESTAMP' }],
    ['timestamp', 'sqlserver', "{x '2020-01-01'}", { postgres: null }],
    ['boolean', 'sqlite', '2', { postgres: null }],
    ['text', 'mysql', String.raw`'it\'s \\ x'`, { postgres: String.raw`'it''s \ x'` }],
    ['text', 'mysql', "_utf8mb4'x'", { sqlite: "'x'" }],
    ['text', 'postgres', String.raw`E'a\nb\\'`, { mysql: `'a\nb\\\\'`, sqlite: `'a\nb\\'` }],
    ['text', 'sqlserver', "(N'é''x')", { postgres: "'é''x'" }],
    ['text', 'sqlite', '0', { postgres: "'0'" }],
    [
      'timestamp',
      'postgres',
      'now()',
      { mysql: 'CURRENT_TIMESTAMP', sqlserver: 'CURRENT_TIMESTAMP' },
    ],
    ['timestamp', 'postgres', "timezone('utc'::text, now())", { mysql: 'CURRENT_TIMESTAMP' }],
    ['timestamp', 'postgres', "(now() AT TIME ZONE 'utc'::text)", { sqlite: 'CURRENT_TIMESTAMP' }],
    ['timestamp', 'mysql', 'CURRENT_TIMESTAMP(3)', { postgres: 'CURRENT_TIMESTAMP' }],
    ['timestamp', 'sqlite', "datetime('now')", { postgres: 'CURRENT_TIMESTAMP' }],
    ['timestamp', 'sqlite', "datetime('2020-01-01')", { postgres: null }],
    ['timestamp', 'mysql', "'0000-00-00 00:00:00'", { postgres: null }],
    ['timestamp', 'mysql', "'2038-01-01 00:00:00'", { postgres: "'2038-01-01 00:00:00'" }],
    ['date', 'sqlserver', 'CONVERT([date],getdate())', { postgres: 'CURRENT_DATE' }],
    ['date', 'postgres', "('now'::text)::date", { mysql: 'CURRENT_DATE' }],
    ['binary', 'sqlite', "x'00ff'", { postgres: String.raw`'\x00ff'::bytea`, sqlserver: '0x00ff' }],
    ['binary', 'postgres', String.raw`'\x00ff'::bytea`, { mysql: "X'00ff'" }],
    ['array', 'postgres', "'{}'::text[]", { mysql: "'[]'" }],
    ['array', 'postgres', "'{a,b}'::text[]", { mysql: null }],
    ['uuid', 'postgres', 'public.uuid_generate_v4()', { mysql: 'uuid()', sqlserver: 'NEWID()' }],
    ['uuid', 'sqlserver', '(newid())', { postgres: 'gen_random_uuid()' }],
    ['json', 'postgres', "'{}'::jsonb", { mysql: "'{}'" }],
    ['bits', 'mysql', "b'101'", { postgres: "B'101'" }],
    ['integer', 'postgres', 'NULL::integer', { mysql: 'NULL' }],
    ['integer', 'postgres', "nextval('s'::regclass)", { mysql: null }],
  ];
  test.each(cases)(
    'of %s in %s is translated to each database: %s',
    (type, from, text, expected) => {
      const translation = translateTo(
        text,
        { from, use: 'default', type: types[type] },
        Object.keys(expected),
      );
      expect(translation).toEqual(expected);
    },
  );
});

describe('expressions of generated columns and indexes', () => {
  test('concatenate texts as each database does', () => {
    const targets = ['mysql', 'sqlite', 'sqlserver'];
    expect(
      translateTo(
        `(status || '-'::text) || "Order"`,
        { from: 'postgres', use: 'generated' },
        targets,
      ),
    ).toEqual({
      mysql: "concat((concat(`status`, '-')), `Order`)",
      sqlite: `("status" || '-') || "Order"`,
      sqlserver: "([status] + N'-') + [Order]",
    });
  });

  test('distinguish concatenation from addition', () => {
    const options: TranslationCase = { from: 'sqlserver', use: 'generated' };
    expect(translateTo("[status]+'-'", options, ['postgres'])).toEqual({
      postgres: `"status" || '-'`,
    });
    expect(translateTo('[a]+[price]', options, ['postgres'])).toEqual({
      postgres: '"a" + "price"',
    });
    expect(translateTo('[a]+[status]', options, ['postgres'])).toEqual({ postgres: null });
  });

  test('can be the predicate of an index', () => {
    const text = '(a > 3) AND (status IS NOT NULL) AND active';
    expect(translateTo(text, { from: 'postgres', use: 'predicate' }, ['sqlserver'])).toEqual({
      sqlserver: '[a] > 3 AND [status] IS NOT NULL AND [active] = 1',
    });
  });

  test('can be an index key', () => {
    expect(
      translateTo('lower((status)::text)', { from: 'postgres', use: 'key' }, ['sqlite']),
    ).toEqual({
      sqlite: 'lower("status")',
    });
  });
});

test('any text is translated or rejected in bounded time', () => {
  const fragments = fc.constantFrom(
    '(',
    ')',
    'a',
    "'",
    '"',
    '[',
    ']',
    'CASE',
    'WHEN',
    'NOT',
    '::',
    '-',
    '.',
    ',',
    'IN',
    'text',
    '1',
    ' ',
    '/*',
    '--',
  );
  fc.assert(
    fc.property(
      fc.array(fragments, { maxLength: 40 }),
      fc.constantFrom('postgres', 'mysql', 'sqlite', 'sqlserver'),
      (parts, from) => {
        translateCheck(parts.join(' '), from, ['postgres', 'mysql']);
      },
    ),
  );
  expect(translateCheck('('.repeat(50_000), 'postgres', ['mysql'])).toEqual({ mysql: null });
});

describe('a cast', () => {
  test.each([
    ['sqlserver', 'CAST(price AS int) = price'],
    ['sqlserver', 'CONVERT(date, made) = made'],
    ['sqlserver', 'CAST(status AS varchar(3)) = status'],
    ['sqlserver', 'CAST(a AS tinyint) = a'],
    ['sqlserver', 'CAST(a AS decimal(5,2)) / 4 > 1'],
    ['sqlserver', 'CAST(price AS decimal(5,1)) = price'],
    ['postgres', '((a)::numeric / (3)::numeric) > 1'],
    ['postgres', '(price)::integer = 3'],
    ['postgres', '(1.5)::integer = a'],
  ])('of %s that changes values is not omitted: %s', (from, text) => {
    expect(translateCheck(text, from, ['sqlite', 'mysql'])).toEqual({ sqlite: null, mysql: null });
  });

  test.each([
    ['postgres', "((status)::text = 'x'::text)", `"status" = 'x'`],
    ['postgres', '(price > (0)::numeric)', '"price" > 0'],
    ['postgres', '((price / (2)::numeric) > 1)', '("price" / 2) > 1'],
    ['postgres', '((a)::bigint > 1)', '"a" > 1'],
    ['sqlserver', 'CAST(a AS bigint) > 1', '"a" > 1'],
  ])('of %s that changes none is omitted: %s', (from, text, expected) => {
    expect(translateCheck(text, from, ['sqlite'])).toEqual({ sqlite: expected });
  });

  test.each(['CAST(1.7 AS int)', '1.7', "'1.7'"])(
    'to integer that would round a default is not translated: %s',
    (text) => {
      const type = { kind: 'integer', bits: 32 } as const;
      expect(translateTo(text, { from: 'sqlserver', use: 'default', type }, ['postgres'])).toEqual({
        postgres: null,
      });
    },
  );
});
