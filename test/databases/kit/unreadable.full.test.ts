/** Many combinations of unreadable relations, including locked ones. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { lockedRelations, unreadableRelations } from './unreadable-relations.ts';
import { checkUnreadable } from './check-unreadable.ts';

describeOnEachDatabase('many unreadable relations', (harness) => {
  test('are each reported', { timeout: 600_000 }, async () => {
    const { name } = harness.underTest;
    const locked = lockedRelations[name];
    const relations = [
      ...(unreadableRelations[name] ?? []),
      ...(locked === undefined ? [] : [locked]),
    ];
    await checkUnreadable(harness, relations, 12);
  });
});
