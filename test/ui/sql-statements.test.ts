/** How the SQL page splits a text, which statements it confirms, and how it reads plans. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dangerOf } from '../../ui/src/sql/dangerous-statement.ts';
import { readPlan } from '../../ui/src/sql/plan.ts';
import { statementsAt, statementsIn } from '../../ui/src/sql/statements.ts';

const drivers = ['sqlite', 'postgres', 'mysql', 'sqlserver'] as const;

const statement = fc.constantFrom(
  'SELECT 1',
  "SELECT ';' AS a -- ; no end",
  'SELECT /* ; */ 2',
  "INSERT INTO t VALUES ('a;''b')",
  'UPDATE t SET a = 1 WHERE b = 2',
);

test('the statement at a cursor is the one that contains it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...drivers),
      fc.array(statement, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      (driver, statements, seed) => {
        const text = statements.map((each) => `${each}\n;\n`).join('');
        const found = statementsIn(text, driver);
        expect(found.map(({ from }) => from)).toEqual(
          statements.map((_, i) => statements.slice(0, i).join('').length + i * 3),
        );
        const index = seed % statements.length;
        const { from, text: current } = found[index]!;
        const cursor = from + (seed % current.length);
        expect(statementsAt(text, { from: cursor, to: cursor }, driver)).toEqual([found[index]]);
        const to = from + current.length;
        expect(statementsAt(text, { from, to }, driver)).toEqual([found[index]]);
      },
    ),
  );
});

test('the body of a trigger belongs to its statement', () => {
  const trigger = 'CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM u; UPDATE u SET a = 1; END';
  expect(statementsIn(`${trigger}; SELECT 1`, 'sqlite').map(({ text }) => text)).toEqual([
    trigger,
    'SELECT 1',
  ]);
  expect(dangerOf(trigger, 'sqlite')).toBeUndefined();
});

const blank = fc.constantFrom(' ', '\n', ' /* WHERE */ ', ' -- WHERE\n');

test('a statement without WHERE of its own is confirmed, whatever surrounds its words', () => {
  const cases = fc.constantFrom<readonly [words: readonly string[], danger: string | undefined]>(
    [['DELETE', 'FROM', 't'], 'all-rows'],
    [['delete', 'from', 't', 'where', 'a', '=', '1'], undefined],
    [['UPDATE', 't', 'SET', 'a', '=', "'WHERE'"], 'all-rows'],
    [['UPDATE', 't', 'SET', 'a', '=', '(SELECT', '1', 'WHERE', '1=1)'], 'all-rows'],
    [['UPDATE', 't', 'SET', 'a', '=', '1', 'WHERE', 'b', '=', '2'], undefined],
    [['WITH', 'x', 'AS', '(SELECT', '1', 'WHERE', '1=1)', 'DELETE', 'FROM', 't'], 'all-rows'],
    [
      ['WITH', 'x', 'AS', '(DELETE', 'FROM', 't', 'RETURNING', 'a)', 'SELECT', '1', 'WHERE', '1=1'],
      'all-rows',
    ],
    [['SELECT', '1', 'FROM', 't', 'FOR', 'UPDATE'], undefined],
    [
      [
        'INSERT',
        'INTO',
        't',
        'VALUES',
        '(1)',
        'ON',
        'CONFLICT',
        'DO',
        'UPDATE',
        'SET',
        'a',
        '=',
        '1',
      ],
      undefined,
    ],
    [
      ['INSERT', 'INTO', 't', 'VALUES', '(1)', 'ON', 'DUPLICATE', 'KEY', 'UPDATE', 'a', '=', '1'],
      undefined,
    ],
    [['SELECT', "'DELETE FROM t'"], undefined],
    [['EXPLAIN', 'DELETE', 'FROM', 't'], undefined],
    [['EXPLAIN', 'ANALYZE', 'DELETE', 'FROM', 't'], 'all-rows'],
    [['DROP', 'TABLE', 't'], 'drop'],
    [['TRUNCATE', 't'], 'drop'],
    [['ALTER', 'TABLE', 't', 'DROP', 'COLUMN', 'a'], 'drop'],
    [['ALTER', 'TABLE', 't', 'ADD', 'a', 'int'], undefined],
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...drivers),
      cases,
      fc.array(blank, { minLength: 12, maxLength: 12 }),
      (driver, [words, danger], blanks) => {
        const text = words.map((word, i) => `${blanks[i] ?? ' '}${word}`).join('');
        expect([text, dangerOf(text, driver)]).toEqual([text, danger]);
      },
    ),
    { numRuns: 300 },
  );
});

test("PostgreSQL's plan is a tree with costs", () => {
  const lines = [
    'Sort  (cost=59.86..59.87 rows=6 width=40)',
    '  Sort Key: (count(*))',
    '  ->  Hash Join  (cost=1.09..59.72 rows=6 width=40)',
    '        Hash Cond: (p.author_id = u.id)',
    '        ->  Seq Scan on posts p  (cost=0.00..58.50 rows=12 width=4)',
    "              Filter: (body ~~ '%x%'::text)",
    '        ->  Hash  (cost=1.04..1.04 rows=4 width=36)',
  ];
  const plan = readPlan(
    ['QUERY PLAN'],
    lines.map((line) => ({ 'QUERY PLAN': line })),
  );
  expect(
    plan?.steps.map(({ depth, title, cost, rows, isFullScan }) => [
      depth,
      title,
      cost,
      rows,
      isFullScan,
    ]),
  ).toEqual([
    [0, 'Sort', 59.87, 6, false],
    [1, 'Hash Join', 59.72, 6, false],
    [2, 'Seq Scan on posts p', 58.5, 12, true],
    [2, 'Hash', 1.04, 4, false],
  ]);
  expect(plan?.steps[2]?.details).toEqual(["Filter: (body ~~ '%x%'::text)"]);
  expect(plan?.text).toBe(lines.join('\n'));
});

test("MySQL's table of steps has rows and marks full scans", () => {
  const row = {
    id: 1,
    select_type: 'SIMPLE',
    table: 't',
    type: 'ALL',
    key: null,
    rows: 7,
    Extra: 'Using where',
  };
  expect(readPlan(Object.keys(row), [row])?.steps).toEqual([
    { depth: 0, title: 'SIMPLE: t ALL', details: ['Using where'], isFullScan: true, rows: 7 },
  ]);
});
