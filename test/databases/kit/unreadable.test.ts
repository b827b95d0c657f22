/**
 * A table or view that the database cannot read or count has an error of its own; the others are
 * not affected.
 */
import { expect, test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { lockedRelations, unreadableRelations } from './unreadable-relations.ts';
import { cachedSchemaOf, checkUnreadable } from './check-unreadable.ts';

describeOnEachDatabase('unreadable relations', (bench) => {
  test('are each reported, and the others are counted and listed', async () => {
    await checkUnreadable(bench, unreadableRelations[bench.subject.name] ?? [], 3);
  });

  test('that another session has locked do not block the schema', async () => {
    const locked = lockedRelations[bench.subject.name];
    if (locked === undefined) return;
    await bench.native.run('CREATE TABLE sound_beside_it (id INTEGER NOT NULL PRIMARY KEY)');
    await locked.prepare?.(bench.native);
    await bench.refresh();
    const release = await locked.make(bench.native);
    try {
      const schema = await cachedSchemaOf(bench);
      expect(schema.get(locked.name)).toBeDefined();
      expect(schema.get('sound_beside_it')).toBeDefined();
      expect((await bench.list('sound_beside_it')).data).toEqual([]);
    } finally {
      await release();
    }
  });
});
