import { expect, test } from 'vitest';

import { viewSelect } from '../../../src/databases/sqlserver/dialect/view-definition.ts';

test.each([
  ['CREATE VIEW v AS SELECT 1 AS a', 'SELECT 1 AS a'],
  ['create or alter view [dbo].[a as b] as\n  select [as] from t;\n', 'select [as] from t'],
  ['-- AS SELECT 0\nCREATE VIEW v /* AS */ WITH SCHEMABINDING AS SELECT 1 AS a', 'SELECT 1 AS a'],
  [
    'ALTER VIEW v AS WITH x AS (SELECT 1 AS a) SELECT * FROM x',
    'WITH x AS (SELECT 1 AS a) SELECT * FROM x',
  ],
  [
    'CREATE VIEW v (a, [b c]) AS SELECT 1, 2',
    'SELECT * FROM (\nSELECT 1, 2\n) AS [view] (a, [b c])',
  ],
])('%s', (text, select) => {
  expect(viewSelect(text)).toBe(select);
});

test.each([
  '',
  'CREATE VIEW v AS',
  'CREATE VIEW v (a) AS WITH x AS (SELECT 1 AS a) SELECT * FROM x',
])('there is no query in: %s', (text) => {
  expect(viewSelect(text)).toBeUndefined();
});
