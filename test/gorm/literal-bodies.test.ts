/** A body that is only a return of literals is read without a parser, and gives what the parser and the evaluation give. */
import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { StudioError } from '../../src/model/errors.ts';

const literal = array(
  constantFrom(
    'a',
    'Z9',
    '_',
    ' ',
    ' + ',
    '{',
    '}',
    ';',
    '//',
    '/*',
    '`',
    'é',
    '\\"',
    '\\n',
    '\\',
    "'",
  ),
  { maxLength: 4 },
).map((parts) => parts.join(''));
const quoted = tuple(constantFrom('"', '"', '"', '`'), literal).map(
  ([quote, text]) => quote + text + quote,
);
const blank = constantFrom('', ' ', '\t', '\n', ' \n ', '\r\n', ';');
const joined = tuple(
  quoted,
  array(tuple(blank, constantFrom('+', '+', '-'), blank, quoted), { maxLength: 3 }),
);
const body = tuple(blank, blank, joined, blank).map(([before, space, [first, others], after]) =>
  [before, 'return', space, first, ...others.flat(), after].join(''),
);

/** What an import says of a model with this body: its table, and warnings or the error. */
function described(text: string): unknown {
  const source = `package m\n\ntype User struct{ ID int }\n\nfunc (User) TableName() string {${text}}\n`;
  try {
    const { models, warnings } = readGoModels([{ name: 'm.go', text: source }]);
    return { tables: models.map(({ table }) => table), warnings };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return error.code;
  }
}

test('a body of literals gives the same table as the same body with a statement before it', () => {
  assert(
    property(body, (text) => {
      expect(described(text)).toEqual(described(`_ = 0;${text}`));
    }),
    { numRuns: 1500 },
  );
});

test('most bodies of literals are certain', () => {
  expect(described(' return "app_" +\n\t"users" ')).toEqual({
    tables: ['app_users'],
    warnings: [],
  });
});
