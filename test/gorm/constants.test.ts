/** Values that Go's compiler rejects, such as a division by zero, determine no name. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';

interface Calculation {
  readonly text: string;
  /** Undefined if the compiler rejects the calculation. */
  readonly value: number | undefined;
}

const literal: fc.Arbitrary<Calculation> = fc
  .constantFrom('0.0', '1.5', '2.0', '1e200', '1e-200', '0e5', '1e999')
  // Without a type, Go calculates exactly.
  .map((text) => ({ text: `float64(${text})`, value: finite(Number(text)) }));

const { calculation } = fc.letrec<{ calculation: Calculation }>((tie) => ({
  calculation: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    literal,
    fc
      .tuple(tie('calculation'), fc.constantFrom('+', '-', '*', '/'), tie('calculation'))
      .map(([left, operator, right]) => ({
        text: `(${left.text} ${operator} ${right.text})`,
        value: combine(operator, left.value, right.value),
      })),
  ),
}));

function combine(
  operator: string,
  x: number | undefined,
  y: number | undefined,
): number | undefined {
  if (x === undefined || y === undefined) return undefined;
  if (operator === '+') return finite(x + y);
  if (operator === '-') return finite(x - y);
  return finite(operator === '*' ? x * y : x / y);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

test('a name is read from a calculation only if it has a value', () => {
  fc.assert(
    fc.property(calculation, ({ text, value }) => {
      const source = `package m
import "fmt"
type Thing struct { ID uint }
func (Thing) TableName() string {
  if ${text} > 1 { return "above" }
  return "below"
}
type Other struct { ID uint }
func (Other) TableName() string { return fmt.Sprint("t", ${text}) }`;
      const { models, warnings } = readGoModels([{ name: 'm.go', text: source }]);
      const [thing, other] = models.map(({ table }) => table);
      if (value === undefined) {
        expect(warnings.map(({ struct }) => struct)).toEqual(['Thing', 'Other']);
        expect([thing, other], text).toEqual(['things', 'others']);
      } else {
        expect(thing, text).toBe(value > 1 ? 'above' : 'below');
        expect(other, text).toMatch(/^t/);
      }
    }),
    { numRuns: 200 },
  );
});

test('a number converted to a string is its character, as Go converts it', () => {
  const numbers = fc.oneof(
    fc.integer({ min: 0x21, max: 0x10ffff }),
    fc.integer({ min: 0xd700, max: 0xe0ff }),
    fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }),
  );
  fc.assert(
    fc.property(numbers, (number) => {
      const source = `package m
type Thing struct { ID uint }
func (Thing) TableName() string { return "t" + string(rune(${number})) }`;
      const isCharacter = number >= 0 && number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
      const character = isCharacter ? String.fromCodePoint(number) : '\ufffd';
      const { models } = readGoModels([{ name: 'm.go', text: source }]);
      expect(models.map(({ table }) => table)).toEqual([`t${character}`]);
    }),
    { numRuns: 200 },
  );
});
