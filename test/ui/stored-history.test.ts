/** The undo history that a reload of the page keeps is the one from before, in each of its states. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonWithTokens } from '../../src/contract/number-token.ts';
import { addState, redo, startHistory, undo } from '../../ui/src/editing/history.ts';
import type { History } from '../../ui/src/editing/history.ts';
import { readJsonText } from '../../ui/src/editing/json-source.ts';
import {
  changesBody,
  dropNewRow,
  nothingStaged,
  stageNewRow,
  stageNewValue,
  stageValue,
  toggleRemoval,
} from '../../ui/src/editing/staged.ts';
import type { Staged } from '../../ui/src/editing/staged.ts';
import { countStored, restoreHistory, storeHistory } from '../../ui/src/editing/stored-history.ts';
import type { StoredHistory } from '../../ui/src/editing/stored-history.ts';

const cell = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('{"b": 1.0, "a": [10000000000000000001]}', '[ 1 , 2.50 ]').map(readJsonText),
  fc.constantFrom('10000000000000000001', '1.50').map((digits) => parseJsonWithTokens(digits)),
) as fc.Arbitrary<string>;

const action = fc.record({
  kind: fc.constantFrom('edit', 'edit', 'add', 'type', 'drop', 'remove', 'discard', 'undo', 'redo'),
  id: fc.constantFrom('1', '2', 'a%2Fb,3', '__proto__'),
  column: fc.constantFrom('name', '__proto__', 'note'),
  value: cell,
  nth: fc.nat(3),
});

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

function perform(history: History<Staged>, { kind, id, column, value, nth }: Action) {
  const { present } = history;
  const stored = {
    id,
    row: { id, name: `as read ${id}` },
    etag: id === '2' ? undefined : `"${id}"`,
  };
  const number = [...present.created.keys()].at(nth) ?? 0;
  if (kind === 'undo') return undo(history);
  if (kind === 'redo') return redo(history);
  const next = {
    edit: () => stageValue(present, stored, [column, value]),
    add: () => stageNewRow(present, { [column]: value }),
    type: () => stageNewValue(present, number, [column, value]),
    drop: () => dropNewRow(present, number),
    remove: () => toggleRemoval(present, stored),
    discard: () => nothingStaged,
  }[kind];
  return addState(history, next?.() ?? present);
}

function throughStorage(history: History<Staged>): History<Staged> {
  const text = JSON.stringify(storeHistory(history));
  return restoreHistory(parseJsonWithTokens(text) as StoredHistory);
}

/** What a state would save, and the rows and versions that it is based on. */
function contents(staged: Staged): unknown {
  const versions = [...staged.edits, ...staged.removed].map(([id, { row, etag }]) => [
    id,
    row,
    etag,
  ]);
  return [changesBody(staged), versions, [...staged.created.keys()]];
}

test('a stored history has the same states, in the same order', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const history = actions.reduce(perform, startHistory(nothingStaged));
      const restored = throughStorage(history);
      expect(contents(restored.present)).toEqual(contents(history.present));
      expect(restored.past.map(contents)).toEqual(history.past.map(contents));
      expect(restored.future.map(contents)).toEqual(history.future.map(contents));
      const { edits, created, removed } = history.present;
      expect(countStored(storeHistory(history))).toBe(edits.size + created.size + removed.size);
    }),
  );
});

test('of a history that is too long, the states nearest to the present are stored', () => {
  const rows = Array.from({ length: 3000 }, () => ({ name: 'pasted' }));
  const pasted = rows.reduce<Staged>(
    (staged, values) => stageNewRow(staged, values),
    nothingStaged,
  );
  const [first = 0] = pasted.created.keys();
  let history = addState(startHistory(nothingStaged), pasted);
  for (let step = 0; step < 60; step++)
    history = addState(history, stageNewValue(history.present, first, ['name', `n${step}`]));
  const restored = throughStorage(history);
  expect(restored.past.length).toBeGreaterThan(10);
  expect(restored.past.length).toBeLessThan(history.past.length);
  expect(contents(restored.present)).toEqual(contents(history.present));
  const nearest = history.past.slice(-restored.past.length);
  expect(restored.past.map(contents)).toEqual(nearest.map(contents));
});
