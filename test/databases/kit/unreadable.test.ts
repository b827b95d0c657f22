/** A table or view that the database cannot read or count says so for itself; all else goes on. */
import { expect, test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { lockedRelations, unreadableRelations } from './unreadable-relations.ts';
import { knownSchemaOf, sayForThemselves } from './unreadable-walk.ts';

describeOnEachDatabase('unreadable relations', (bench) => {
  test('are told one by one, and the others are counted and listed', async () => {
    await sayForThemselves(bench, unreadableRelations[bench.subject.name] ?? [], 3);
  });

  test('that another session has locked keep nobody from the schema', async () => {
    const locked = lockedRelations[bench.subject.name];
    if (locked === undefined) return;
    await bench.native.run('CREATE TABLE sound_beside_it (id INTEGER NOT NULL PRIMARY KEY)');
    await locked.prepare?.(bench.native);
    await bench.refresh();
    const release = await locked.make(bench.native);
    try {
      const schema = await knownSchemaOf(bench);
      expect(schema.get(locked.name)).toBeDefined();
      expect(schema.get('sound_beside_it')).toBeDefined();
      expect((await bench.list('sound_beside_it')).data).toEqual([]);
    } finally {
      await release();
    }
  });
});
