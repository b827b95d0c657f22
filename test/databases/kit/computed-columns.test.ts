/** Computed columns of T-SQL files have no type; a database that requires one gets the type of the expression. */
import { expect, test } from 'vitest';
import { importText } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

const file = `
CREATE TABLE calc (
  id int PRIMARY KEY, price decimal(10, 2) NOT NULL, name varchar(50) NOT NULL,
  total AS price * id PERSISTED, twice AS (id + id), label AS (upper(name)),
  CONSTRAINT positive CHECK (twice > 0)
);`;

describeOnEachDatabase('computed columns', (harness) => {
  test('of a T-SQL file have the type of their expression', async () => {
    const parameters = { dialect: 'sqlserver' };
    const { warnings } = await importText('calc.sql', file, {
      url: harness.database.url,
      parameters,
    });
    expect(warnings.filter((warning) => /total|twice|label/.test(warning))).toEqual(
      harness.underTest.name === 'mysql' || harness.underTest.name === 'sqlite'
        ? []
        : warnings.filter((warning) => warning.includes('are stored, not virtual')),
    );
    await harness.database.run("INSERT INTO calc (id, price, name) VALUES (3, 1.50, 'a')");
    const [row] = await harness.database.query(
      'SELECT total + 0 AS a, twice + 0 AS b, label FROM calc',
    );
    expect([Number(row?.[0]), Number(row?.[1]), row?.[2]]).toEqual([4.5, 6, 'A']);
    await expect(
      harness.database.run("INSERT INTO calc (id, price, name) VALUES (-3, 1.50, 'a')"),
    ).rejects.toThrow();
  });
});
