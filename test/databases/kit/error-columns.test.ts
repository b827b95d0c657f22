/** An error of a write of several columns names the column at fault, as far as the database lets us know it. */
import { expect, test } from 'vitest';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import type { JsonRow } from './harness.ts';

interface Case {
  readonly values: JsonRow;
  readonly columns: readonly string[];
}

const common: readonly Case[] = [
  { values: { must: null }, columns: ['must'] },
  { values: { code: 'c2' }, columns: ['code'] },
  { values: { id: 2 }, columns: ['id'] },
  { values: { n: -1 }, columns: ['n'] },
  { values: { a: 2, b: 1 }, columns: ['a', 'b'] },
  { values: { parent_id: 9 }, columns: ['parent_id'] },
];

const ofTypes: readonly Case[] = [
  { values: { code: 'far too long' }, columns: ['code'] },
  { values: { small: 70000 }, columns: ['small'] },
  { values: { price: 123456 }, columns: ['price'] },
  { values: { d: 'no date' }, columns: ['d'] },
];

const ofPostgres: readonly Case[] = [
  { values: { u: 'no uuid' }, columns: ['u'] },
  { values: { p: -1 }, columns: ['p'] },
  { values: { ip: 'no address' }, columns: ['ip'] },
  { values: { arr: ['no number'] }, columns: ['arr'] },
  { values: { code: 'a\0' }, columns: ['code'] },
];

/** By the name of the database. SQLite does not check types. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  sqlite: common,
  mysql: [...common, ...ofTypes],
  postgres: [...common, ...ofTypes, ...ofPostgres],
};

describeOnEachDatabase('columns of errors', (harness) => {
  test('are those with the rejected values', async () => {
    const isPostgres = harness.underTest.name === 'postgres';
    if (isPostgres) await harness.database.run('CREATE DOMAIN positive AS int CHECK (VALUE > 0)');
    await harness.database.run('CREATE TABLE parent (id int PRIMARY KEY)');
    await harness.database.run(
      `CREATE TABLE child (id int PRIMARY KEY, must varchar(20) NOT NULL, code varchar(5) UNIQUE, n int CHECK (n > 0),
         small smallint, price decimal(5, 2), d date, parent_id int, a int, b int, note varchar(20),
         ${isPostgres ? 'u uuid, p positive, ip inet, arr int[],' : ''}
         CONSTRAINT a_before_b CHECK (a < b), CONSTRAINT child_parent FOREIGN KEY (parent_id) REFERENCES parent (id))`,
    );
    await harness.database.run(
      "INSERT INTO child (id, must, code) VALUES (1, 'm', 'c1'), (2, 'm', 'c2')",
    );
    await harness.refresh();
    for (const { values, columns: expected } of cases[harness.underTest.name] ?? []) {
      const row = { note: 'fine', ...values };
      const failures = {
        update: await failureOf(
          harness.changeRows('child', { update: [{ id: '1', values: row }] }),
        ),
        create: await failureOf(
          harness.changeRows('child', { create: [{ id: 3, must: 'm', ...row }] }),
        ),
      };
      for (const [list, failure] of Object.entries(failures)) {
        const { column, columns = [column] } = failure as JsonRow;
        expect({ values, list, columns }).toEqual({ values, list, columns: expected });
        expect(failure).toMatchObject({ list, index: 0 });
        expect(failure).not.toHaveProperty('parameter_number');
      }
    }
  });
});
