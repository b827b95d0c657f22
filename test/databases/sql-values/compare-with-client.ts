import * as fc from 'fast-check';
import { expect } from 'vitest';
import { importedValue } from './native-values.ts';
import { readsCurrentTime } from './generated.ts';
import type { ColumnName, NativeValues } from './native-values.ts';

const columns = fc.constantFrom<ColumnName>('text', 'text', 'int', 'bin');

/** Each value that the import accepts equals that of the database itself. Some values must be accepted. */
export async function compareLiterals(
  native: NativeValues,
  texts: fc.Arbitrary<string>,
  numRuns: number,
): Promise<void> {
  let comparedCount = 0;
  await fc.assert(
    fc.asyncProperty(columns, texts, async (column, text) => {
      if (readsCurrentTime(text)) return;
      const imported = await importedValue(native.dialect, { column }, text);
      if (imported === undefined) return;
      // An expression that the database rejects, such as a NULL of a wrong type, has no value to
      // compare with.
      const expected = await native.ofExpression(column, text).catch(() => undefined);
      if (expected === undefined) return;
      const found = await native.ofValue(column, imported.value).catch(() => undefined);
      if (found === undefined) return;
      comparedCount += 1;
      expect(found).toBe(expected);
    }),
    { numRuns },
  );
  expect(comparedCount).toBeGreaterThan(numRuns / 50);
}

/** A cast that is imported into a text column of SQLite has the text that the database gives it. */
export async function compareCasts(
  native: NativeValues,
  texts: fc.Arbitrary<string>,
  numRuns: number,
): Promise<void> {
  let comparedCount = 0;
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const target = { column: 'text', isDynamic: true } as const;
      const imported = await importedValue(native.dialect, target, text);
      if (imported === undefined) return;
      const expected = await native.ofExpression('text', text);
      comparedCount += 1;
      expect(normalized(JSON.stringify(imported.value))).toBe(normalized(expected));
    }),
    { numRuns },
  );
  expect(comparedCount).toBeGreaterThan(numRuns / 50);
}

/** Databases separate date and time by a space, and MySQL pads the fraction of a second. */
function normalized(text: string): string {
  return text
    .replace(/(?<=\d)T(?=\d)/, ' ')
    .replace(/(:\d\d:\d\d)(?:\.(\d*?)0*)?(?=")/, (_, clock: string, fraction = '') =>
      fraction === '' ? clock : `${clock}.${fraction}`,
    );
}
