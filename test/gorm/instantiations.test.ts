/** Generic functions and types with type arguments, as values of variables, parse as gofmt parses them. */
import { array, assert, constantFrom, letrec, oneof, property, record, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';

const { type, value } = letrec<{ type: string; value: string; args: string }>((tie) => ({
  type: oneof(
    { depthSize: 'small', withCrossShrink: true },
    constantFrom('int', 'any', 'p.T', 'struct{}', 'interface{}', 'func()', 'chan int'),
    tie('type').map((of) => `[]${of}`),
    tie('type').map((of) => `*${of}`),
    tie('type').map((of) => `map[string]${of}`),
    tie('args').map((args) => `p.G[${args}]`),
  ),
  args: array(tie('type'), { minLength: 1, maxLength: 3 }).map((types) => types.join(', ')),
  value: oneof(
    { depthSize: 'small', withCrossShrink: true },
    tuple(constantFrom('f', 'p.F'), tie('args')).map(([name, args]) => `${name}[${args}]`),
    tuple(constantFrom('f', 'p.F'), tie('args')).map(([name, args]) => `${name}[${args}](1)`),
    tie('args').map((args) => `p.G[${args}]{}`),
    array(tie('value'), { maxLength: 3 }).map((values) => `[]any{${values.join(', ')}}`),
    tie('value').map((one) => `map[string]any{"a": ${one}, "b": 1}`),
    tie('value').map((one) => `use(${one}, 2)`),
    tie('value').map((one) => `func() any { return ${one} }`),
  ),
}));

const declaration = oneof(
  value.map((one) => `var x = ${one}`),
  tuple(value, value).map(([one, other]) => `var x, y = ${one}, ${other}`),
  tuple(type, value).map(([of, one]) => `var (\n\tz ${of}\n\tx any = ${one} // note\n)`),
  tuple(type, type).map(
    ([of, other]) => `type X[T any, U ${other === 'int' ? 'any' : 'comparable'}] struct{ F ${of} }`,
  ),
);

test('what follows them is read', () => {
  assert(
    property(record({ before: declaration, field: type, after: declaration }), (parts) => {
      const text = `package m\n\n${parts.before}\n\ntype User struct {\n\tID int\n\tOther ${parts.field} \`gorm:"type:text"\`\n}\n\n${parts.after.replaceAll(/\b[xyzX]\b/g, 'q$&')}\n\nfunc (User) TableName() string { return "people" }\n`;
      const { models } = readGoModels([{ name: 'm.go', text }]);
      expect(models.map(({ table, columns }) => [table, columns])).toEqual([
        ['people', ['id', 'other']],
      ]);
    }),
    { numRuns: 1000 },
  );
});

test('characters that Go does not have are refused', () => {
  for (const character of ['☹', '#', '$', '?', '@', '\\', '\u00a0'])
    expect(() =>
      readGoModels([{ name: 'm.go', text: `package m\n\nvar x = 1 ${character} 2\n` }]),
    ).toThrow(/Unexpected character/);
});

test.each([
  'f[[]int, 5 6]',
  'f[[]]',
  'f[map[string]]',
  'f[int, string int]',
  'f[func(]',
  '[]any{f[[]int +], 1}',
])('the invalid %s is refused', (invalid) => {
  const text = `package m\n\nvar x = ${invalid}\n\ntype User struct{ ID int }\n`;
  expect(() => readGoModels([{ name: 'm.go', text }])).toThrow(/^m\.go:3:\d+: /);
});
