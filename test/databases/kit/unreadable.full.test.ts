/** Many mixtures of relations that cannot be read, locked ones among them. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { lockedRelations, unreadableRelations } from './unreadable-relations.ts';
import { sayForThemselves } from './unreadable-walk.ts';

describeOnEachDatabase('many unreadable relations', (bench) => {
  test('are told one by one', { timeout: 600_000 }, async () => {
    const { name } = bench.subject;
    const locked = lockedRelations[name];
    const relations = [
      ...(unreadableRelations[name] ?? []),
      ...(locked === undefined ? [] : [locked]),
    ];
    await sayForThemselves(bench, relations, 12);
  });
});
