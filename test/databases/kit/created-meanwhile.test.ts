/** Several clients create a table of one name at once: one of them does, and the others learn that it exists. */
import { expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { describeOnEachDatabase } from './harness.ts';

const imports = {
  rows: { path: 'import/data?create_table=true&table=made', name: 'a.csv', text: 'id,v\n1,a\n' },
  structure: {
    path: 'import/schema',
    name: 'a.sql',
    text: 'CREATE TABLE made (id INTEGER PRIMARY KEY)',
  },
};

describeOnEachDatabase('a table that other clients create at once', (harness) => {
  test.each(Object.entries(imports))('by an import of %s', async (_kind, { path, name, text }) => {
    await harness.database.run('DROP TABLE IF EXISTS made');
    const apps = await Promise.all(
      [1, 2, 3].map(async () => createApp(await harness.openStudio({ allowDdl: true }))),
    );
    const send = async (app: (typeof apps)[number]): Promise<string> => {
      const body = new FormData();
      body.set('file', new File([text], name));
      const request = new Request(`http://localhost/studio/api/${path}`, { method: 'POST', body });
      const response = await app.fetch(request);
      const { code, error } = (await response.json()) as {
        readonly code?: string;
        readonly error?: string;
      };
      return code === undefined ? String(response.status) : `${response.status} ${code}: ${error}`;
    };
    const outcomes = (await Promise.all(apps.map(send))).toSorted();
    expect(outcomes[0]).toBe('200');
    // A client that waited for the others too long, or was rolled back, may repeat its import.
    for (const outcome of outcomes.slice(1))
      expect(outcome).toMatch(/^(?:409 (?:table_exists|write_conflict)|503 database_busy): /);
  });
});
