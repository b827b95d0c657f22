import * as fc from 'fast-check';
import { expect } from 'vitest';
import { importedValue } from './native-values.ts';
import { isOfNow } from './generated.ts';
import type { ColumnName, NativeValues } from './native-values.ts';

const columns = fc.constantFrom<ColumnName>('text', 'text', 'int', 'bin');

/** What the import takes, the database itself makes the same of; some of it at least is taken. */
export async function judge(
  native: NativeValues,
  texts: fc.Arbitrary<string>,
  numRuns: number,
): Promise<void> {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(columns, texts, async (column, text) => {
      if (isOfNow(text)) return;
      const imported = await importedValue(native.dialect, column, text);
      if (imported === undefined) return;
      // What the database refuses, such as a NULL of a wrong type, has no value to be mistaken for.
      const expected = await native.ofExpression(column, text).catch(() => undefined);
      if (expected === undefined) return;
      const found = await native.ofValue(column, imported.value).catch(() => undefined);
      if (found === undefined) return;
      taken += 1;
      expect(found).toBe(expected);
    }),
    { numRuns },
  );
  expect(taken).toBeGreaterThan(numRuns / 50);
}
