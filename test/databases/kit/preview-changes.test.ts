/** The preview of changes: its statements do what the request would do, and foreign keys do what it says. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeOnEachDatabase, failureOf, readBody } from './harness.ts';
import { columnOf, foreignKeyTo, int, name, optional, tableOf } from './tables.ts';
import type { Harness, JsonRow } from './harness.ts';

interface Preview {
  readonly statements: readonly {
    readonly list: string;
    readonly index: number;
    readonly sql: string;
  }[];
  readonly cascades: readonly JsonRow[];
}

async function preview(harness: Harness, body: object): Promise<Preview> {
  const input = { table: 'people', body: JSON.stringify(body), showDeleted: true };
  return readBody(await harness.perform('preview-changes', input)) as Preview;
}

const cascade = { onDelete: 'cascade', onUpdate: 'cascade' } as const;

const tables = [
  tableOf('people', [columnOf('id', int), columnOf('code', name), optional('boss_id', int)], {
    primaryKey: { columns: ['id'] },
    indexes: [{ name: 'people_code', unique: true, parts: [{ column: 'code' }] }],
    foreignKeys: [foreignKeyTo('people', ['boss_id'], { onDelete: 'cascade' })],
  }),
  tableOf(
    'tasks',
    [columnOf('id', int), optional('person_id', int), optional('reviewer_id', int)],
    {
      primaryKey: { columns: ['id'] },
      foreignKeys: [
        foreignKeyTo('people', ['person_id'], { onDelete: 'cascade' }),
        foreignKeyTo('people', ['reviewer_id'], { onDelete: 'set null' }),
      ],
    },
  ),
  // Rows without ids.
  tableOf('notes', [columnOf('n', int), optional('task_id', int)], {
    foreignKeys: [foreignKeyTo('tasks', ['task_id'], { onDelete: 'cascade' })],
  }),
  tableOf('badges', [columnOf('id', int), optional('code', name)], {
    primaryKey: { columns: ['id'] },
    foreignKeys: [foreignKeyTo('people', ['code'], { ...cascade, referencedColumns: ['code'] })],
  }),
];

const people = 6;
const personId = fc.integer({ min: 1, max: people });
const maybePerson = fc.option(personId);
const data = fc.record({
  bosses: fc.array(maybePerson, { minLength: people, maxLength: people }),
  tasks: fc.array(fc.record({ person_id: maybePerson, reviewer_id: maybePerson }), {
    minLength: 1,
    maxLength: 8,
  }),
  notes: fc.array(fc.nat(), { maxLength: 8 }),
  badges: fc.array(personId, { maxLength: 6 }),
  deleted: fc.uniqueArray(personId, { maxLength: 3 }),
  renamed: personId,
});

describeOnEachDatabase('previews of changes', (harness) => {
  test('have statements and cascades that match what the request does', async () => {
    await harness.createTables(tables);
    await fc.assert(
      fc.asyncProperty(data, async ({ bosses, tasks, notes, badges, deleted, renamed }) => {
        const names = tables.map((table) => table.name);
        for (const table of ['badges', 'notes', 'tasks', 'people'])
          await harness.database.run(`DELETE FROM ${table}`);
        const fill = (table: string, rows: readonly JsonRow[]) =>
          rows.length === 0 ? undefined : harness.insertRows(table, rows);
        // A boss has a lower id, which keeps the chains short.
        await fill('people', bosses.map((boss, i) => ({ id: i + 1, code: `p${i + 1}`, boss_id: boss !== null && boss <= i ? boss : null }))); // prettier-ignore
        await fill(
          'tasks',
          tasks.map((task, i) => ({ id: i + 1, ...task })),
        );
        await fill('notes', notes.map((n) => ({ n, task_id: (n % tasks.length) + 1 }))); // prettier-ignore
        await fill(
          'badges',
          badges.map((person, i) => ({ id: i + 1, code: `p${person}` })),
        );
        const before = await contents(harness, names);
        const update = deleted.includes(renamed)
          ? []
          : [{ id: String(renamed), values: { code: "it's ü" } }];
        const create = [{ id: 100, code: 'a\\b', boss_id: null }];
        const shown = await preview(harness, { create, update, delete: deleted.map(String) });
        expect(await contents(harness, names)).toEqual(before);
        for (const { sql } of shown.statements) await harness.database.run(sql);
        const after = await contents(harness, names);
        expect(sorted(shown.cascades)).toEqual(
          sorted(differences(before, after, new Set(deleted))),
        );
        expect(after.people.find(({ id }) => id === 100)?.['code']).toBe('a\\b');
        expect(shown.statements).toHaveLength(create.length + update.length + deleted.length);
      }),
      { numRuns: 25 },
    );
  });

  test('count up to a bound, and say so', async () => {
    const rows = Array.from({ length: 1200 }, (_, i) => ({ n: i, task_id: 1 }));
    await harness.database.run('DELETE FROM notes');
    await harness.database.run('DELETE FROM tasks');
    await harness.database.run('DELETE FROM people');
    await harness.insertRows('people', [{ id: 1, code: 'c', boss_id: null }]);
    await harness.insertRows('tasks', [{ id: 1, person_id: 1, reviewer_id: null }]);
    await harness.insertRows('notes', rows);
    const { cascades } = await preview(harness, { delete: ['1'] });
    expect(sorted(cascades)).toEqual(
      sorted([
        { table: 'tasks', action: 'delete', rows: 1 },
        { table: 'notes', action: 'delete', rows: 1000, rows_exact: false },
      ]),
    );
  });

  test('reject what the request would reject, and name the item', async () => {
    const missing = { update: [{ id: '1', values: { code: 'd' } }], delete: ['1', '999'] };
    const failure = await failureOf(preview(harness, missing));
    expect(failure).toMatchObject({ code: 'row_not_found', list: 'delete', index: 1 });
  });
});

type Contents = Readonly<Record<string, readonly JsonRow[]>> & {
  readonly people: readonly JsonRow[];
};

async function contents(harness: Harness, names: readonly string[]): Promise<Contents> {
  const entries = await Promise.all(
    names.map(
      async (table) => [table, (await harness.list(table, { pageSize: 500 })).data] as const,
    ),
  );
  return Object.fromEntries(entries) as Contents;
}

/** What the statements did, apart from what they were asked to do. */
function differences(
  before: Contents,
  after: Contents,
  deleted: ReadonlySet<number>,
): readonly JsonRow[] {
  const removed = Object.keys(before).flatMap((table) => {
    const ownDeletions = table === 'people' ? deleted.size : 0;
    const created = table === 'people' ? 1 : 0;
    const rows = before[table]!.length - (after[table]!.length - created) - ownDeletions;
    return rows === 0 ? [] : [{ table, action: 'delete', rows }];
  });
  return [
    ...removed,
    ...changes(before, after, { table: 'tasks', column: 'reviewer_id', action: 'set_null' }),
    ...changes(before, after, { table: 'badges', column: 'code', action: 'update' }),
  ];
}

function changes(
  before: Contents,
  after: Contents,
  { table, column, action }: Readonly<Record<'table' | 'column' | 'action', string>>,
): readonly JsonRow[] {
  const rows = after[table]!.filter(
    ({ id, ...row }) => before[table]!.find((each) => each['id'] === id)?.[column] !== row[column],
  ).length;
  return rows === 0 ? [] : [{ table, action, rows, columns: [column] }];
}

function sorted(rows: readonly JsonRow[]): readonly JsonRow[] {
  return rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}
