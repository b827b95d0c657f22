/** Any JSON value, through every way of the row API: what was written is what is read, and no NULL. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyText, failureOf, overDatabases, readBody, rowOf } from './bench.ts';
import { numbered, optional } from './tables.ts';
import type { Bench } from './bench.ts';

const markers = ['$json', '$base64', '$int', '$cut', '$schema', '$', 'head'];

/** Documents whose members are, or look like, the wire's own markers; digits that every database keeps. */
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

/** SQLite cannot tell its text `"12"` from `12`: strings and numbers of their own are no JSON there. */
function isTold(bench: Bench, value: unknown): boolean {
  return bench.subject.name !== 'sqlite' || !['string', 'number'].includes(typeof value);
}

/** As a client writes it who knows that documents may look like markers. */
const wrapped = (value: unknown): string => `{"$json":${JSON.stringify(value)}}`;

/** The document that a cell of an answer stands for: by the contract's rule alone. */
function documentOf(cell: unknown): unknown {
  const isObject = typeof cell === 'object' && cell !== null && !Array.isArray(cell);
  const names = isObject ? Object.keys(cell) : [];
  return names.length === 1 && names[0] === '$json' ? (cell as { $json: unknown }).$json : cell;
}

overDatabases('JSON values', (bench) => {
  bench.before(() => bench.make([numbered('documents', [optional('v', { kind: 'json' })])]));

  test('come back as they were written, by every route', async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, anyJson, async (first, second) => {
        fc.pre(isTold(bench, first) && isTold(bench, second));
        const created = rowOf(await bench.create('documents', `{"v":${wrapped(first)}}`));
        const id = String(created['id']);
        const cell = async () => rowOf(await bench.get('documents', id))['v'];
        expect(documentOf(created['v'])).toEqual(first);
        expect(created['v']).not.toBeNull();
        // What is read can be written again.
        await bench.update('documents', id, { body: { v: await cell() } });
        expect(documentOf(await cell())).toEqual(first);
        const changed = await bench.change('documents', {
          create: [{ v: created['v'] }],
          update: [{ id, values: { v: { $json: second } } }],
        });
        const { created: again, updated } = readBody(changed) as Record<string, { v: unknown }[]>;
        expect(documentOf(again?.[0]?.v)).toEqual(first);
        expect(documentOf(updated?.[0]?.v)).toEqual(second);
        const whole = await bench.perform('read-cell', {
          table: 'documents',
          id,
          column: 'v',
          showDeleted: false,
        });
        expect(JSON.parse(bodyText(whole))).toEqual(second);
        await bench.update('documents', id, { body: { v: null } });
        expect(await cell()).toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test('of a document that is written as it is are that document, unless it is a marker', async () => {
    for (const document of ['{"$schema":"x"}', '{"a":{"$json":1}}', '[{"$base64":"x"}]', '{}']) {
      const created = rowOf(await bench.create('documents', `{"v":${document}}`));
      expect(created['v']).toEqual(JSON.parse(document));
    }
    const binary = bench.create('documents', '{"v":{"$cut":1,"head":""}}');
    expect(await failureOf(binary)).toMatchObject({ code: 'invalid_value' });
  });
});
