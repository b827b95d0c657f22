/** What users save in the state folder, by several copies of the studio that share it. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  nat,
  oneof,
  option,
  string,
  tuple,
} from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openSavedState } from '../../src/studio/saved/saved-state.ts';
import type { SavedItems } from '../../src/studio/saved/saved-items.ts';
import type { SavedState } from '../../src/studio/saved/saved-state.ts';

function makeStateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-saved-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const url = 'postgres://ada:secret@db.example/shop';

const name = oneof(
  constantFrom('', '.', '..', '__proto__', 'a/b', 'A/B', 'ä', 'a'.repeat(200), '\0'),
  string({ unit: 'grapheme', maxLength: 5 }),
);
const changes = array(
  tuple(name, option(string({ unit: 'grapheme', minLength: 1, maxLength: 20 }))),
  { maxLength: 8 },
);

test('every copy has what the last change of any copy has left of each item', async () => {
  await assert(
    asyncProperty(array(tuple(nat(1), changes), { maxLength: 12 }), async (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'studio-saved-'));
      try {
        // The password may change; the database is the same.
        const other = url.replace('secret', 'changed');
        const copies = [openSavedState(folder, url), openSavedState(folder, other)] as const;
        const model = new Map<string, string>();
        for (const [copy, step] of steps) {
          await copies[copy === 0 ? 0 : 1].queries.change(new Map(step));
          for (const [item, value] of new Map(step))
            if (value === null) model.delete(item);
            else model.set(item, value);
          const expected = [...model].toSorted(([a], [b]) => (a < b ? -1 : 1));
          for (const { queries } of copies) expect([...(await queries.all())]).toEqual(expected);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 30 },
  );
});

test('changes of different items at the same time all succeed, and readers see whole items', async () => {
  const folder = makeStateFolder();
  const copies = Array.from({ length: 3 }, () => openSavedState(folder, url).positions.all);
  const tables = Array.from({ length: 60 }, (_, i) => `table ${i}`);
  let isMoving = true;
  const reader = (async () => {
    while (isMoving) for (const [x, y] of (await copies[0]!.all()).values()) expect(y).toBe(2 * x);
  })();
  await Promise.all(
    tables.map(async (table, i) => {
      for (const x of [1, 2, i])
        await copies[i % copies.length]!.change(new Map([[table, [x, 2 * x]]]));
    }),
  );
  isMoving = false;
  await reader;
  const all = await copies[1]!.all();
  expect([...all.keys()].toSorted()).toEqual(tables.toSorted());
  for (const [i, table] of tables.entries()) expect(all.get(table)).toEqual([i, 2 * i]);
  expect(readdirSync(folder, { recursive: true }).filter((file) => String(file).includes('/.')))
    .toEqual([]); // prettier-ignore
});

test('each database, and each choice of columns, has items of its own', async () => {
  const folder = makeStateFolder();
  const { positions, queries } = openSavedState(folder, url);
  await positions.keys.change(new Map([['users', [1, 2]]]));
  await queries.change(new Map([['users', 'SELECT 1']]));
  const others = openSavedState(folder, url.replace('/shop', '/other'));
  const empty = (items: SavedItems<unknown>): Promise<void> =>
    expect(items.all()).resolves.toEqual(new Map());
  await Promise.all(
    [positions.all, positions.none, others.queries, others.positions.keys].map(empty),
  );
});

test('says whether a removed item existed', async () => {
  const { queries } = openSavedState(makeStateFolder(), url);
  expect(await queries.remove('a')).toBe(false);
  await queries.change(new Map([['a', 'SELECT 1']]));
  expect(await queries.remove('a')).toBe(true);
  expect(await queries.all()).toEqual(new Map());
});

test('a full folder takes replacements and nothing else', async () => {
  const { queries } = openSavedState(makeStateFolder(), url);
  const full = new Map(Array.from({ length: 1000 }, (_, i) => [`query ${i}`, 'SELECT 1']));
  await queries.change(full);
  await queries.change(new Map([['query 7', 'SELECT 2']]));
  await expect(queries.change(new Map([['one more', 'SELECT 1']]))).rejects.toMatchObject({
    code: 'too_large',
    message: 'At most 1000 queries can be saved.',
  });
  expect([...(await queries.all())].length).toBe(1000);
});

test('files of other programs are ignored', async () => {
  const folder = makeStateFolder();
  const { positions } = openSavedState(folder, url);
  await positions.all.change(new Map([['users', [1, 2]]]));
  const [file = ''] = (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => path.endsWith('.json')); // prettier-ignore
  const beside = (text: string, digit: string): void =>
    writeFileSync(join(folder, file, '..', `${digit.repeat(64)}.json`), text);
  beside('{"version":1,"name":"x","value":["1",2]}', '1');
  beside('{"version":2,"name":"x","value":[1,2]}', '2');
  beside('{"version":1,"name":"x","val', '3');
  beside('null', '4');
  writeFileSync(join(folder, file, '..', 'notes.txt'), 'x');
  expect(await positions.all.all()).toEqual(new Map([['users', [1, 2]]]));
});

test('a state folder that cannot be used is an error that says so', async () => {
  const file = join(makeStateFolder(), 'file');
  writeFileSync(file, '');
  const { queries }: SavedState = openSavedState(file, url);
  const unavailable = { code: 'state_unavailable' };
  await expect(queries.all()).rejects.toMatchObject(unavailable);
  await expect(queries.change(new Map([['a', 'b']]))).rejects.toMatchObject(unavailable);
  await expect(queries.remove('a')).rejects.toMatchObject(unavailable);
});
