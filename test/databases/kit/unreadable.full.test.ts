/** Many combinations of unreadable relations, including locked ones. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { lockedRelations, unreadableRelations } from './unreadable-relations.ts';
import { checkUnreadable } from './check-unreadable.ts';

describeOnEachDatabase('many unreadable relations', (bench) => {
  test('are each reported', { timeout: 600_000 }, async () => {
    const { name } = bench.subject;
    const locked = lockedRelations[name];
    const relations = [
      ...(unreadableRelations[name] ?? []),
      ...(locked === undefined ? [] : [locked]),
    ];
    await checkUnreadable(bench, relations, 12);
  });
});
