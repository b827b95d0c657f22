/** Journals that a power loss has damaged: what can be read is undone, and no import fails because of them. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRecovery } from '../../../src/studio/execution/recovery.ts';
import { makeJournalFolder } from '../../../src/studio/import/schema/journal-files.ts';
import { rejectBeingCreated } from '../../../src/studio/import/schema/running-imports.ts';
import { withContext } from '../import-job.ts';
import { describeOnEachDatabase } from './harness.ts';

const zeros = '\0'.repeat(20);
const damages = [
  { name: 'zero bytes in the middle', text: `"torn_a"\n${zeros}\n"torn_b"\n`, isPutAside: true },
  {
    name: 'half a line in the middle',
    text: `"torn_a"\n{"creating":"torn_c","col"torn_c"\n"torn_b"\n`,
    isPutAside: true,
  },
  { name: 'another value', text: `"torn_a"\nnull\n"torn_b"\n`, isPutAside: true },
  {
    name: 'half a last line',
    text: `"torn_a"\n"torn_b"\n{"creating":"torn_c","col`,
    isPutAside: false,
  },
  { name: 'zero bytes at the end', text: `"torn_a"\n"torn_b"\n${zeros}`, isPutAside: false },
  { name: 'a last line of zero bytes', text: `"torn_a"\n"torn_b"\n${zeros}\n`, isPutAside: false },
];

describeOnEachDatabase('damaged journals', (harness) => {
  test.each(damages)('are undone as far as they can be read: $name', async (damage) => {
    const { database, underTest } = harness;
    if (underTest.dialect.ddl?.ddlUndo === undefined) return;
    const stateDir = mkdtempSync(join(tmpdir(), 'studio-damaged-'));
    await withContext({ url: database.url, stateDir }, async (job) => {
      const folder = await makeJournalFolder(job);
      const path = join(folder, 'damaged.journal');
      for (const name of ['torn_a', 'torn_b', 'torn_kept'])
        await database.run(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY)`);
      writeFileSync(path, damage.text);
      // An import that meets the journal.
      await rejectBeingCreated(job, ['torn_kept']);
      const sentences: string[] = [];
      const recovery = await startRecovery(job, (sentence) => sentences.push(sentence));
      recovery.close();
      expect(await database.query("SHOW TABLES LIKE 'torn%'")).toEqual([['torn_kept']]);
      expect(readdirSync(folder)).toEqual(damage.isPutAside ? ['damaged.journal.damaged'] : []);
      const named = sentences.filter((sentence) => sentence.includes(`${path}.damaged`));
      expect(named).toHaveLength(damage.isPutAside ? 1 : 0);
    });
    await database.run('DROP TABLE torn_kept');
    rmSync(stateDir, { recursive: true });
  });
});
