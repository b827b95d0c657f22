/** A value typed over another one in SQLite keeps the storage class, according to typeof() in the file. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonWithTokens } from '../../../src/contract/number-token.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { editedText, readEdited } from '../../../ui/src/editing/cell-editor/typed-text.ts';
import { bodyText } from '../kit/harness.ts';
import { makeFile, openRaw } from './fixture.ts';
import type { Cell } from '../../../src/contract/client/client.ts';
import type { Column, Table } from '../../../ui/src/api/responses.ts';
import type { StoredClass } from '../../../ui/src/editing/cell-editor/read-typed.ts';

const columns = ['plain', 'anything'] as const;

const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const smallInteger = fc.integer().map(BigInt);
const real = fc.double({ noNaN: true, noDefaultInfinity: true });
const text = fc.constantFrom('5', '5.0', 'abc', '', '-7', '1e3');
/** Beyond 2^53, with the digits of the shortest form of a double. */
const roundInteger = integer
  .map((number) => BigInt(String(Number(number))))
  .filter((number) => number >= -(2n ** 63n) && number < 2n ** 63n);
const value = fc.oneof(smallInteger, integer, roundInteger, real, text);

/** Texts that a user may type, with the storage class that follows from each. */
const typed = fc.oneof(
  smallInteger.map((number) => ({ text: String(number), isInteger: true, isNumber: true })),
  integer.map((number) => ({ text: String(number), isInteger: true, isNumber: true })),
  fc.integer({ min: -9999, max: 9999 }).map((n) => {
    return { text: `${n}.5`, isInteger: false, isNumber: true };
  }),
  fc.constantFrom('', 'abc', '5 apples', '1e', '2026-01-31').map((word) => {
    return { text: word, isInteger: false, isNumber: false };
  }),
);

function expectedClass(
  before: string,
  { isInteger, isNumber }: { readonly isInteger: boolean; readonly isNumber: boolean },
  selected: StoredClass | undefined,
): string {
  const isUnchanged = selected === undefined ? before !== 'text' : selected === 'number';
  if (!isNumber || !isUnchanged) return 'text';
  return before === 'real' || !isInteger ? 'real' : 'integer';
}

test('a typed value has the storage class of the value that it replaces, or the selected one', async () => {
  const path = makeFile(`CREATE TABLE t (id INTEGER PRIMARY KEY, plain ANY, anything ANY) STRICT;
    CREATE TABLE u (id INTEGER PRIMARY KEY, plain, anything);
    INSERT INTO t (id) VALUES (1); INSERT INTO u (id) VALUES (1)`);
  const raw = openRaw(path);
  const studio = await createStudio({ url: path });
  try {
    const { tables } = parseJsonWithTokens(bodyText(await studio.perform('get-schema', {}))) as {
      tables: Table[];
    };
    const columnOf = (table: string, name: string): Column =>
      tables.find((each) => each.name === table)!.columns.find((each) => each.name === name)!;
    const way = fc.record({
      table: fc.constantFrom('t', 'u'),
      name: fc.constantFrom(...columns),
      selected: fc.option(fc.constantFrom<StoredClass>('number', 'text'), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(way, value, typed, async ({ table, name, selected }, before, next) => {
        const column = columnOf(table, name);
        raw.prepare(`UPDATE ${table} SET ${name} = ?`).run(before);
        const stored = (): [string, unknown] =>
          raw
            .prepare(`SELECT typeof(${name}), ${name} FROM ${table}`)
            .raw()
            .safeIntegers()
            .get() as [string, unknown];
        const [classBefore] = stored();
        const address = { table, id: '1', showDeleted: false };
        const row = parseJsonWithTokens(
          bodyText(await studio.perform('get-row', address)),
        ) as Record<string, Cell>;
        const replaced = row[name] as Cell;
        const from = { text: editedText(replaced, column), isOneLine: true };
        const read = readEdited(next.text, from, { column, replaced, selectedClass: selected });
        if ('problem' in read) throw new Error(read.problem);
        const expected = expectedClass(classBefore, next, selected);
        const body = JSON.stringify({ [name]: read.value });
        const write = studio.perform('update-row', { ...address, body });
        // A REAL that would not keep the digits is rejected, never rounded.
        const isInexact = expected === 'real' && String(Number(next.text)) !== next.text;
        if (
          isInexact &&
          (await write.then(
            () => false,
            () => true,
          ))
        )
          return;
        await write;
        const [classAfter, after] = stored();
        expect(classAfter).toBe(expected);
        expect(String(after)).toBe(expected === 'real' ? String(Number(next.text)) : next.text);
      }),
      { numRuns: 200 },
    );
  } finally {
    await studio.close();
  }
});
