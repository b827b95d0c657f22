/**
 * A table or view that the database cannot read or count has an error of its own; the others are
 * not affected.
 */
import { expect, test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { lockedRelations, unreadableRelations } from './unreadable-relations.ts';
import { cachedSchemaOf, checkUnreadable } from './check-unreadable.ts';

describeOnEachDatabase('unreadable relations', (harness) => {
  test('are each reported, and the others are counted and listed', async () => {
    await checkUnreadable(harness, unreadableRelations[harness.underTest.name] ?? [], 3);
  });

  test('that another session has locked do not block the schema', async () => {
    const locked = lockedRelations[harness.underTest.name];
    if (locked === undefined) return;
    await harness.database.run('CREATE TABLE readable_table (id INTEGER NOT NULL PRIMARY KEY)');
    await locked.prepare?.(harness.database);
    await harness.refresh();
    const release = await locked.makeUnreadable(harness.database);
    try {
      const schema = await cachedSchemaOf(harness);
      expect(schema.get(locked.name)).toBeDefined();
      expect(schema.get('readable_table')).toBeDefined();
      expect((await harness.list('readable_table')).data).toEqual([]);
    } finally {
      await release();
    }
  });
});
