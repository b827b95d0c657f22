import { expect, test } from 'vitest';
import { columnsByName } from '../../src/sql/expression/infer.ts';
import { inferType } from '../../src/sql/expression/infer-type.ts';
import { parseExpression } from '../../src/sql/expression/parse.ts';
import { databaseKinds } from '../databases/registered-databases.ts';
import { columnOf } from './neutral-schema.ts';

const columns = columnsByName([
  columnOf('small', { kind: 'integer', bits: 16 }),
  columnOf('price', { kind: 'decimal', precision: 10, scale: 2 }),
  columnOf('ratio', { kind: 'float', bits: 32 }),
  columnOf('name', { kind: 'text', length: 20 }),
  columnOf('code', { kind: 'text', length: 5, fixed: true }),
  columnOf('born', { kind: 'date' }),
  columnOf('shape', { kind: 'other', name: 'geometry' }),
]);

const integer = { kind: 'integer', bits: 64 };
const text = { kind: 'text' };
const float = { kind: 'float', bits: 64 };
const decimal = { kind: 'decimal' };

test.each([
  ['[born]', { kind: 'date' }],
  ['cast(born as interval)', undefined],
  ['cast(name as point)', undefined],
  ['[small] + 1', integer],
  ['([small] * 100)', integer],
  ['-small', integer],
  ['99999999999999999999', decimal],
  ['price * small', decimal],
  ['price * 1.5 + small', decimal],
  ['price * ratio', float],
  ['small * 1e3', float],
  ["[name] + N' (' + [code] + ')'", text],
  ['upper(name)', text],
  ['len(name)', integer],
  ['abs(price)', decimal],
  ['isnull(small, 0)', integer],
  ['isnull(price, 0)', decimal],
  ['isnull(name, code)', text],
  ['isnull(name, small)', undefined],
  ['case when price > 1 then 1 else 0 end', integer],
  ['case when price > 1 then 1 else price end', decimal],
  ["case when price > 1 then 'high' end", text],
  ["case when price > 1 then 'high' else small end", undefined],
  ['cast(price as int)', integer],
  ['cast(price as varchar(20))', text],
  ['cast(name as float)', float],
  ['cast(name as datetime)', undefined],
  ['shape', undefined],
  ['small + shape', undefined],
  ['unheard_of', undefined],
])('the type of %s is %o', (source, expected) => {
  const syntax = databaseKinds.find(({ dialect }) => dialect.name === 'sqlserver')!.expressions;
  const parsed = parseExpression(source, syntax);
  expect(parsed && inferType(parsed, columns)).toEqual(expected);
});
