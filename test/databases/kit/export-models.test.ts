/**
 * Export of models: the parameters and response of the operation, and that its file creates the
 * same tables again.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { failureOf, describeOnEachDatabase } from './harness.ts';
import { bigint, columnOf, foreignKeyTo, name, tableWithId, optional } from './tables.ts';
import type { Table } from '../../../src/model/schema.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const shelves: readonly Table[] = [
  tableWithId('shelves', [columnOf('label', name)]),
  tableWithId(
    'volumes',
    [columnOf('title', name), optional('shelf_id', bigint), columnOf('pages', bigint)],
    {
      foreignKeys: [
        {
          ...foreignKeyTo('shelves', ['shelf_id'], { onDelete: 'cascade' }),
          name: 'volumes_shelf',
        },
      ],
      checks: [{ name: 'volumes_pages', expression: 'pages > 0' }],
      indexes: [
        { name: 'volumes_title', unique: true, parts: [{ column: 'title' }] },
        {
          name: 'volumes_place',
          unique: false,
          parts: [{ column: 'shelf_id' }, { column: 'pages' }],
        },
      ],
    },
  ),
];

async function importModels(studio: Studio, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-go-'));
  const path = join(folder, 'upload');
  writeFileSync(path, text);
  const file = { name: 'models.go', path, bytes: Buffer.byteLength(text) };
  const job = await studio.start('import-models', { upload: { files: [file], fields: {} } });
  job.head.catch(() => undefined);
  job.output.resume();
  job.output.on('error', () => undefined);
  await job.result;
  rmSync(folder, { recursive: true });
}

describeOnEachDatabase('export of models', (harness) => {
  harness.beforeTests(() => harness.createTables(shelves));

  test('is a Go file with a name and a media type', async () => {
    const { body, meta } = await harness.studio.perform('export-models', { tables: ['volumes'] });
    expect(meta).toMatchObject({ fileName: 'models.go', contentType: 'text/x-go; charset=utf-8' });
    expect(String(body)).toMatch(/^\/\/ Package models .*\npackage models\n/);
    expect(String(body)).toContain('type Volume struct {');
    expect(String(body)).not.toContain('type Shelf struct {');
  });

  test('uses the requested package, types for NULL and tags', async () => {
    const input = { package: 'shop', nulls: 'sql', json: true } as const;
    const { body } = await harness.studio.perform('export-models', input);
    expect(String(body)).toContain('\npackage shop\n');
    expect(String(body)).toMatch(
      /ShelfID +sql\.NullInt64 +`gorm:"column:shelf_id[^`]*" json:"shelf_id"`/,
    );
  });

  test.each(['two words', '1st', 'func', 'a"b'])('rejects %s as a package name', async (name) => {
    const failure = await failureOf(harness.studio.perform('export-models', { package: name }));
    expect(failure).toMatchObject({ code: 'invalid_parameter' });
  });

  test('rejects an unknown table', async () => {
    const failure = await failureOf(harness.studio.perform('export-models', { tables: ['nope'] }));
    expect(failure).toMatchObject({ code: 'table_not_found' });
  });

  test('creates the same tables, which are exported as the same file again', async () => {
    const tables = ['shelves', 'volumes'];
    const { body } = await harness.studio.perform('export-models', { tables });
    await harness.dropTables(tables.toReversed());
    await importModels(harness.studio, String(body));
    await harness.refresh();
    const again = await harness.studio.perform('export-models', { tables });
    expect(String(again.body)).toBe(String(body));
  });
});
