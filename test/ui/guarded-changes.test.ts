/**
 * Every change or deletion of a row in the web studio has the entity tag with which the row was
 * last read or written.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changesBody,
  nothingStaged,
  stageValue,
  toggleRemoval,
} from '../../ui/src/editing/staged.ts';

const action = fc.record({ id: fc.constantFrom('1', '2', '3', '4'), removes: fc.boolean() });

interface Guarded {
  readonly id: string;
  readonly if_match?: string;
}

test('a body of changes has an entity tag for each of its rows', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 12 }), (actions) => {
      const staged = actions.reduce((before, { id, removes }, i) => {
        const knownRow = { id, row: { id, name: 'as read' }, etag: `"tag of ${id}"` };
        return removes
          ? toggleRemoval(before, knownRow)
          : stageValue(before, knownRow, ['name', `n${i}`]);
      }, nothingStaged);
      const body = JSON.parse(changesBody(staged)) as Record<'update' | 'delete', Guarded[]>;
      for (const item of [...body.update, ...body.delete])
        expect(item).toMatchObject({ if_match: `"tag of ${item.id}"` });
      expect(body.delete).toHaveLength(staged.removed.size);
    }),
  );
});
