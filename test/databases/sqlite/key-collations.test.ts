/** Collations and directions of keys decide which values are equal, and how the key is stored. */
import { expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { makeFile, openRaw } from './fixture.ts';

test('an exported structure keeps the collation of each key', async () => {
  const path = makeFile(`CREATE TABLE t (a TEXT, b TEXT COLLATE NOCASE, c TEXT,
    PRIMARY KEY (a COLLATE NOCASE, b), CONSTRAINT u UNIQUE (c DESC, a COLLATE RTRIM))`);
  const studio = await createStudio({ url: path, readOnly: true });
  try {
    const { body } = await studio.perform('export-schema', { format: 'sql' });
    const copied = openRaw(makeFile(String(body)));
    copied.exec(`INSERT INTO t VALUES ('a', 'b', 'c')`);
    expect(() => copied.exec(`INSERT INTO t VALUES ('A', 'B', 'd')`)).toThrow('UNIQUE');
    expect(() => copied.exec(`INSERT INTO t VALUES ('a ', 'z', 'c')`)).toThrow('UNIQUE');
  } finally {
    await studio.close();
  }
});

test('what an export cannot keep is named', async () => {
  const path = makeFile(
    'CREATE TABLE t (a, b, PRIMARY KEY (a, b DESC)); CREATE TABLE u (a, PRIMARY KEY (a DESC))',
  );
  const studio = await createStudio({ url: path, readOnly: true });
  try {
    const { meta } = await studio.perform('export-schema', { format: 'sql' });
    expect(meta.warnings).toEqual([
      'The export leaves out attributes: DESC of b in the primary key of t.',
    ]);
  } finally {
    await studio.close();
  }
});
