/** The line and column of errors in raw SQL: mistakes at random places, whose position the test knows. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { columnOf, int, name, optional, tableOf } from './tables.ts';

interface Position {
  readonly line?: unknown;
  readonly column?: unknown;
}

/** What surrounds a mistake: the parts are valid, and none of them contains it. */
const gaps = fc.constantFrom(' ', '\n', '\r\n  ', ' /* 😀 */ ', "\n-- 'é\n\t", '  ');

const statements: readonly (readonly [parts: readonly string[], mistake: string])[] = [
  [['SELECT', "'😀'", 'AS', 'a,', '#', 'FROM', 'verses'], 'n2'],
  [['SELECT', 'n', 'FROM', '#'], 'vrses'],
  [['SELECT', 'n,', '1', 'FROM', 'verses', 'WHERE', '#', '>', '1'], 'size'],
  [['SELECT', 'n', 'FROM', 'verses', 'ORDER', 'BY', 'n,', '#'], 'm'],
  [['SELECT', '(1)', 'FROM', 'verses', 'WHERE', '(1', '=', '1)', '#'], ')'],
  [['DELETE', 'FROM', 'verses', 'WHERE', '#', '=', "'é'"], 'verses_n'],
  [['UPDATE', 'verses', 'SET', 'n', '=', '1', 'WHERE', 'n', '=', '1', '#', 'n', '=', '2'], 'whare'],
  [['INSERT', 'INTO', 'verses', '(n,', '#', ')', 'VALUES', '(1,', '2)'], 'colour'],
];

const texts = fc
  .tuple(
    fc.constantFrom(...statements),
    fc.array(gaps, { minLength: 20, maxLength: 20 }),
    fc.boolean(),
  )
  .map(([[parts, mistake], spaces, isUpper]) => {
    const before = parts.indexOf('#');
    const typed = isUpper ? mistake.toUpperCase() : mistake;
    const all = parts.map((part) => (part === '#' ? typed : part));
    const text = all.map((part, i) => `${part}${spaces[i] ?? ' '}`).join('');
    const head = all
      .slice(0, before)
      .map((part, i) => `${part}${spaces[i] ?? ' '}`)
      .join('');
    const lines = head.split('\n');
    return { text, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  });

describeOnEachDatabase('an error of a statement', (harness) => {
  harness.beforeTests(() =>
    harness.createTables([
      tableOf('verses', [columnOf('n', int), optional('name', name)], {
        primaryKey: { columns: ['n'] },
      }),
    ]),
  );

  test('has the position of what the database rejected', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async ({ text, line, column }) => {
        const failure = await failureOf(harness.sql(text));
        const { line: foundLine, column: foundColumn } = failure as Position;
        expect([text, foundLine, foundColumn]).toEqual([text, line, column]);
      }),
    );
  });

  test('has no position if it is about a value', async () => {
    const failure = await failureOf(
      harness.sql("INSERT INTO verses (n, name) VALUES (1, 'a'), (1, 'b')"),
    );
    expect(failure.code).toBe('unique_violation');
    expect(failure).not.toHaveProperty('line');
  });
});
