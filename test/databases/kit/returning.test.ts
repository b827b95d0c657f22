/**
 * Raw SQL statements that write and return rows: random steps of INSERT, UPDATE and DELETE, judged by a
 * model of the table, by what `RETURNING` must report and by the rows that are stored afterwards.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeOnEachDatabase, readBody } from './harness.ts';
import { columnOf, int, tableOf } from './tables.ts';
import type { Harness, JsonRow } from './harness.ts';

const verbs = ['INSERT', 'UPDATE', 'DELETE'] as const;
type Verb = (typeof verbs)[number];

interface Step {
  readonly verb: Verb;
  /** The number of rows of an INSERT. */
  readonly count: number;
  /** UPDATE and DELETE change the rows whose `n` is less. */
  readonly below: number;
  readonly maxRows: number;
  readonly returns: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom(...verbs),
  count: fc.integer({ min: 1, max: 250 }),
  below: fc.integer({ min: 0, max: 60 }),
  maxRows: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constant(1000)),
  returns: fc.boolean(),
});

/** The expected table, by id. */
type Model = Map<number, number>;

interface Expected {
  readonly query: string;
  /** Every row written, as RETURNING reports it. */
  readonly written: readonly (readonly [id: number, n: number])[];
}

/** Changes the model, which predicts what the database returns. */
function apply(model: Model, { verb, count, below }: Step, nextId: number): Expected {
  if (verb === 'INSERT') {
    const written = Array.from({ length: count }, (_, i) => [nextId + i, (i * 7) % 50] as const);
    for (const [id, n] of written) model.set(id, n);
    const tuples = written.map(([id, n]) => `(${id}, ${n})`).join(', ');
    return { query: `INSERT INTO returned (id, n) VALUES ${tuples}`, written };
  }
  const matching = [...model].filter(([, n]) => n < below);
  if (verb === 'DELETE') {
    for (const [id] of matching) model.delete(id);
    return { query: `DELETE FROM returned WHERE n < ${below}`, written: matching };
  }
  const written = matching.map(([id, n]) => [id, n + 3] as const);
  for (const [id, n] of written) model.set(id, n);
  return { query: `UPDATE returned SET n = n + 3 WHERE n < ${below}`, written };
}

/** The verbs that support RETURNING on this database. */
async function returningVerbs(harness: Harness): Promise<ReadonlySet<Verb>> {
  const probes: Readonly<Record<Verb, string>> = {
    INSERT: 'INSERT INTO returned (id, n) VALUES (-1, 0) RETURNING id',
    UPDATE: 'UPDATE returned SET n = 0 WHERE id = -1 RETURNING id',
    DELETE: 'DELETE FROM returned WHERE id = -1 RETURNING id',
  };
  const supported = new Set<Verb>();
  for (const verb of verbs) {
    const isSupported = await harness.database.run(probes[verb]).then(
      () => true,
      () => false,
    );
    if (isSupported) supported.add(verb);
  }
  return supported;
}

interface Check {
  readonly harness: Harness;
  readonly model: Model;
  readonly supported: ReadonlySet<Verb>;
  readonly nextId: number;
}

async function checkStep({ harness, model, supported, nextId }: Check, step: Step): Promise<void> {
  const { query, written } = apply(model, step, nextId);
  const returns = step.returns && supported.has(step.verb);
  const text = returns ? `${query} RETURNING id, n AS n, n` : query;
  const body = JSON.stringify({ query: text, max_rows: step.maxRows });
  const response = readBody(await harness.perform('run-sql', { body })) as JsonRow;
  expect(response).toMatchObject({ type: 'write', rows_affected: written.length });
  if (!returns) {
    expect(response).not.toHaveProperty('rows');
    return;
  }
  const shown = Math.min(written.length, step.maxRows);
  expect(response).toMatchObject({
    columns: ['id', 'n', 'n_2'],
    total: shown,
    truncated: shown < written.length,
  });
  const byId = new Map(written);
  const rows = response['rows'] as readonly JsonRow[];
  expect(rows).toHaveLength(shown);
  for (const { id, n, n_2: again } of rows) {
    expect([n, again]).toEqual([byId.get(Number(id)), byId.get(Number(id))]);
    byId.delete(Number(id));
  }
}

describeOnEachDatabase('rows that a write returns', (harness) => {
  harness.beforeTests(async () => {
    await harness.createTables([
      tableOf('returned', [columnOf('id', int), columnOf('n', int)], {
        primaryKey: { columns: ['id'] },
      }),
    ]);
  });

  test('are those that it wrote, even if only some of them are returned', async (context) => {
    const supported = await returningVerbs(harness);
    if (supported.size === 0) context.skip(`${harness.underTest.name}: no statement has RETURNING`);
    const steps = fc.array(step, { minLength: 2, maxLength: 6 });
    const property = fc.asyncProperty(steps, async (each) => {
      await harness.database.run('DELETE FROM returned');
      const model: Model = new Map();
      let nextId = 1;
      for (const one of each) {
        await checkStep({ harness, model, supported, nextId }, one);
        nextId += one.count;
      }
      const { rows } = await harness.sql('SELECT id, n FROM returned ORDER BY id');
      expect(rows.map(({ id, n }) => [id, n])).toEqual([...model].toSorted(([a], [b]) => a - b));
    });
    await fc.assert(property, { numRuns: 12 });
  });

  test('are none for a query plan, which writes nothing', async () => {
    await harness.database.run('DELETE FROM returned; INSERT INTO returned (id, n) VALUES (1, 1)');
    for (const query of ['UPDATE returned SET n = 5', 'DELETE FROM returned'])
      expect(await harness.sql(`EXPLAIN ${query}`)).toMatchObject({ type: 'read' });
    expect((await harness.list('returned')).data).toEqual([{ id: 1, n: 1 }]);
  });
});
