/** Long expressions, as in files that protoc-gen-go generates. The parser of the grammar limits the depth of its trees. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { parseFile } from '../../src/gorm/go/syntax/parse-file.ts';

function tablesOf(text: string): readonly string[] {
  return readGoModels([{ name: 'a.go', text }]).models.map(({ table }) => table);
}

const operand = fc.constantFrom(
  ...['"text"', '`raw\ntext`', '"a)b\\""', 'name', 'other.Name', '7', '0x1F', "'+'", '-x', '!ok'],
  ...[
    'f(1, 2)',
    'list[3]',
    '(a + b)',
    '[]int{1, 2}[0]',
    'T{A: "+"}.Name',
    'f()(2).g',
    '*p',
    '&T{}',
  ],
  ...['func() int { return 1 + 2 }()', 'a.\n\tb', 'map[string]int{"a": 1}["a"]'],
);
const operator = fc.constantFrom(
  ...[
    ' + ',
    ' +\n\t',
    ' + // "comment\n\t',
    ' /* , */ + ',
    ' | ',
    ' << ',
    ' - ',
    ' &^ ',
    ' == ',
    ' && ',
  ],
);

test('expressions of any length keep the declarations around them', () => {
  const chain = fc
    .tuple(operand, fc.array(fc.tuple(operator, operand), { minLength: 0, maxLength: 900 }))
    .map(([first, rest]) => first + rest.map((one) => one.join('')).join(''));
  const declaration = fc
    .tuple(
      chain,
      fc.constantFrom(
        'var x = @',
        'const (\n\tx = @\n\ty = 1\n)',
        'var x = []any{@, 1}',
        'var (\n\tx, z = f(@), 2\n)',
      ),
    )
    .map(([text, form]) => form.replace('@', () => text));
  fc.assert(
    fc.property(fc.array(declaration, { minLength: 1, maxLength: 3 }), (declarations) => {
      const text = `package a\n${declarations.join('\n')}\ntype User struct { ID int }\nfunc g() { x := ${'1 + '.repeat(400)}1; _ = x }\n`;
      expect(tablesOf(text)).toEqual(['users']);
    }),
    { numRuns: 60 },
  );
});

test('a long expression is the value of its constant as it is written', () => {
  const value = `"a" + ${'"b\\n" +\n\t'.repeat(1000)}name`;
  const parsed = parseFile({ name: 'a.go', text: `package a\nconst x, y = ${value}, "c"\n` });
  if ('message' in parsed) throw new Error(parsed.message);
  expect(parsed.values.map(({ value: text }) => text)).toEqual([value, '"c"']);
});

test('errors after a long expression are found', () => {
  const text = `package a\nvar x = ${'1 + '.repeat(1000)}1\ntype User struct { ID int }\ntype type int\n`;
  expect(() => tablesOf(text)).toThrow('a.go:4:');
});
