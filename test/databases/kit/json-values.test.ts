/**
 * Any JSON value, through every route of the row API: what is read is what was written, and never
 * NULL.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyText, failureOf, describeOnEachDatabase, readBody, rowOf } from './harness.ts';
import { tableWithId, optional } from './tables.ts';
import type { Harness } from './harness.ts';

const markers = ['$json', '$base64', '$int', '$cut', '$schema', '$', 'head'];

/**
 * Documents with members that are, or look like, the wire format's own markers, and digits that
 * every database keeps.
 */
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0')),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...markers, 'a', 'b', ''), tie('value'), { maxKeys: 2 }),
    fc.tuple(fc.constantFrom(...markers), tie('value')).map(([name, value]) => ({ [name]: value })),
  ),
}));

/**
 * SQLite cannot distinguish its text `"12"` from `12`, so a single string or number is not JSON
 * there.
 */
function isJsonCell(harness: Harness, value: unknown): boolean {
  return harness.underTest.name !== 'sqlite' || !['string', 'number'].includes(typeof value);
}

/** The value as a client writes it that escapes documents which look like markers. */
const wrapped = (value: unknown): string => `{"$json":${JSON.stringify(value)}}`;

/** The document of a cell in a response, by the rule of the contract only. */
function documentOf(cell: unknown): unknown {
  const isObject = typeof cell === 'object' && cell !== null && !Array.isArray(cell);
  const names = isObject ? Object.keys(cell) : [];
  return names.length === 1 && names[0] === '$json' ? (cell as { $json: unknown }).$json : cell;
}

describeOnEachDatabase('JSON values', (harness) => {
  harness.beforeTests(() =>
    harness.createTables([tableWithId('documents', [optional('v', { kind: 'json' })])]),
  );

  test('are the same after a write and a read, by every route', async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, anyJson, async (first, second) => {
        fc.pre(isJsonCell(harness, first) && isJsonCell(harness, second));
        const created = rowOf(await harness.create('documents', `{"v":${wrapped(first)}}`));
        const id = String(created['id']);
        const cell = async () => rowOf(await harness.get('documents', id))['v'];
        expect(documentOf(created['v'])).toEqual(first);
        expect(created['v']).not.toBeNull();
        // A value that was read can be written again.
        await harness.update('documents', id, { body: { v: await cell() } });
        expect(documentOf(await cell())).toEqual(first);
        const changed = await harness.changeRows('documents', {
          create: [{ v: created['v'] }],
          update: [{ id, values: { v: { $json: second } } }],
        });
        const { created: createdAgain, updated } = readBody(changed) as Record<
          string,
          { v: unknown }[]
        >;
        expect(documentOf(createdAgain?.[0]?.v)).toEqual(first);
        expect(documentOf(updated?.[0]?.v)).toEqual(second);
        const wholeCell = await harness.perform('read-cell', {
          table: 'documents',
          id,
          column: 'v',
          showDeleted: false,
        });
        expect(JSON.parse(bodyText(wholeCell))).toEqual(second);
        await harness.update('documents', id, { body: { v: null } });
        expect(await cell()).toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test('of a document written without a wrapper are that document, unless it is a marker', async () => {
    for (const document of ['{"$schema":"x"}', '{"a":{"$json":1}}', '[{"$base64":"x"}]', '{}']) {
      const created = rowOf(await harness.create('documents', `{"v":${document}}`));
      expect(created['v']).toEqual(JSON.parse(document));
    }
    const binary = harness.create('documents', '{"v":{"$cut":1,"head":""}}');
    expect(await failureOf(binary)).toMatchObject({ code: 'invalid_value' });
  });
});
