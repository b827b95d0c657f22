/**
 * A file that is not in WAL mode accepts no write while it is read, so reads of the studio itself
 * are canceled.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listDefaults } from '../kit/harness.ts';
import { makeFolder } from './fixture.ts';
import {
  checkWritesEndReads,
  messageOf,
  openStudio,
  readEndlessly,
  write,
} from './reads-before-writes.ts';

const generousMs = 60_000;

test(
  'endless reads are canceled for writes, and only if they block them',
  async () => {
    await Promise.all([checkWritesEndReads('delete', 1), checkWritesEndReads('wal', 1)]);
  },
  generousMs,
);

test(
  'endless reads are canceled for the commit of an import',
  async () => {
    const { studio, texts, untilRead } = await openStudio('delete');
    const reading = readEndlessly(studio, 'list').catch(messageOf);
    await untilRead();
    const path = join(makeFolder(), 'notes.csv');
    writeFileSync(path, 'text\none\ntwo\n');
    const upload = { files: [{ name: 'notes.csv', path, bytes: 13 }], fields: {} };
    const job = await studio.start('import-data', { table: 'notes', upload });
    await job.result;
    expect(texts()).toEqual(['one', 'two']);
    expect(await reading).toContain('was ended because a write waited');
  },
  generousMs,
);

test(
  'an export is not canceled: the error of a write names it',
  async () => {
    const { studio, texts, untilRead } = await openStudio('delete');
    const leaving = new AbortController();
    const query = { ...listDefaults, sort: [{ column: 'i', descending: true }] };
    const input = { table: 'endless', format: 'csv', query };
    const exporting = studio.start('export-table', input, { signal: leaving.signal });
    exporting.then((job) => job.result).catch(() => undefined);
    await untilRead();
    const message = await write(studio, 'create', 'one').then(() => 'written', messageOf);
    expect(message).toContain('an export of "endless"');
    expect(texts()).toEqual([]);
    leaving.abort();
    await exporting.catch(() => undefined);
    await write(studio, 'create', 'one');
    expect(texts()).toEqual(['one']);
  },
  generousMs,
);
