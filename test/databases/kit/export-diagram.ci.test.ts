import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readPdf } from '../../diagram/read-pdf.ts';
import { readPng } from '../../diagram/read-png.ts';
import { describeOnEachDatabase } from './harness.ts';
import { bigint, columnOf, foreignKeyTo, name, tableWithId, optional, tableOf } from './tables.ts';
import type { DiagramInput } from '../../../src/studio/export/diagram-input.ts';
import type { FileHead } from '../../../src/studio/core/job.ts';
import type { Harness } from './harness.ts';

interface Exported {
  readonly head: FileHead;
  readonly bytes: Buffer;
  readonly response: unknown;
}

async function exported(harness: Harness, input: DiagramInput): Promise<Exported> {
  const job = await harness.studio.start('export-diagram', input);
  const bytes = await buffer(job.output);
  return { head: await job.head, bytes, response: await job.result };
}

/** The titles and labels of an SVG. */
function textsOf(svg: Buffer): readonly string[] {
  return [...svg.toString().matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim());
}

describeOnEachDatabase('diagrams', (harness) => {
  harness.beforeTests(async () => {
    await harness.createTables([
      tableWithId('shelves', [columnOf('label', name, { comment: 'Where it stands' })]),
      tableWithId('volumes', [columnOf('shelf_id', bigint), optional('part_of', bigint)], {
        foreignKeys: [foreignKeyTo('shelves', ['shelf_id']), foreignKeyTo('volumes', ['part_of'])],
      }),
      tableOf(
        'volume_words',
        [columnOf('volume_id', bigint), columnOf('word', name), optional('note', name)],
        {
          primaryKey: { columns: ['volume_id', 'word'] },
          foreignKeys: [foreignKeyTo('volumes', ['volume_id'])],
        },
      ),
    ]);
  });

  const all = { tables: ['shelves', 'volumes', 'volume_words'] };

  test('draws tables at requested positions, and rejects invalid positions', async () => {
    const positions = JSON.stringify({ shelves: [900, 40.5], volume_words: [-50, 700] });
    const layoutOf = async (input: Partial<DiagramInput>) => {
      const { bytes } = await exported(harness, { format: 'layout', ...all, ...input });
      const { tables } = JSON.parse(bytes.toString()) as {
        tables: { name: string; x: number; y: number }[];
      };
      return new Map(tables.map(({ name: table, x, y }) => [table, { x, y }]));
    };
    const [before, after] = [await layoutOf({}), await layoutOf({ positions })];
    const [shelves, volumes, words] = all.tables.map((table) => after.get(table)!);
    expect(shelves!.x - words!.x).toBeCloseTo(950, 1);
    expect(shelves!.y - words!.y).toBeCloseTo(-659.5, 1);
    expect(volumes!.x - words!.x).toBeCloseTo(before.get('volumes')!.x + 50, 1);
    for (const [wrong, message] of [
      ['{', 'positions must be a JSON object'],
      ['[1, 2]', 'positions must be a JSON object'],
      ['{"shelves": [1]}', 'The position of "shelves" must be [x, y]'],
      ['{"shelves": [1, 1e9]}', 'The position of "shelves" must be [x, y]'],
      ['{"missing": [1, 2]}', 'missing'],
    ] as const)
      await expect(exported(harness, { format: 'svg', positions: wrong })).rejects.toMatchObject({
        message: expect.stringContaining(message),
      });
  });

  test('as SVG, contains every table, column, type and relation', async () => {
    const { head, bytes } = await exported(harness, { format: 'svg', ...all });
    expect(head).toMatchObject({ mediaType: 'image/svg+xml' });
    expect(head.fileName).toMatch(/-diagram\.svg$/);
    const texts = textsOf(bytes);
    const written = ['id', 'label', 'shelf_id', 'part_of', 'volume_id', 'word', 'note'];
    expect(texts).toEqual(expect.arrayContaining([...all.tables, ...written]));
    const relations = texts.filter((text) => / \(.*\) → .*\(id\)$/.test(text));
    expect(relations.map((text) => text.replaceAll(/\w+\./g, '')).toSorted()).toEqual([
      'volume_words (volume_id) → volumes (id)',
      'volumes (part_of) → volumes (id)',
      'volumes (shelf_id) → shelves (id)',
    ]);
  });

  test('as PNG and as PDF, shows the same drawing', async () => {
    const [png, pdf] = [
      await exported(harness, { format: 'png', ...all }),
      await exported(harness, { format: 'pdf', ...all }),
    ];
    expect(png.head.mediaType).toBe('image/png');
    expect(pdf.head.mediaType).toBe('application/pdf');
    const pixels = readPng(png.bytes);
    const page = readPdf(pdf.bytes);
    expect(pixels.width / pixels.height).toBeCloseTo(page.width / page.height, 1);
    expect(page.texts).toEqual(
      expect.arrayContaining(['shelves', 'volumes', 'volume_words', 'part_of']),
    );
  });

  test('tables= draws only those tables and the lines between them', async () => {
    const { bytes } = await exported(harness, { format: 'svg', tables: ['volumes'] });
    const texts = textsOf(bytes);
    expect(texts).toContain('shelf_id');
    expect(texts).not.toContain('shelves');
    expect(
      texts.filter((text) => text.includes('→')).some((text) => text.includes('shelves (')),
    ).toBe(false);
  });

  test('columns=keys draws only key columns', async () => {
    const { bytes } = await exported(harness, { format: 'svg', ...all, columns: 'keys' });
    const texts = textsOf(bytes);
    expect(texts).toContain('shelf_id');
    expect(texts).toContain('1 more column');
    expect(texts).not.toContain('label');
  });

  test('an unknown table is rejected with the nearest name', async () => {
    const job = harness.studio.start('export-diagram', { format: 'svg', tables: ['shelfs'] });
    await expect(job).rejects.toMatchObject({
      code: 'table_not_found',
      details: { nearest: 'shelves' },
    });
  });

  test('a repeated export has the same bytes until the structure changes', async () => {
    const first = await exported(harness, { format: 'svg', ...all });
    const again = await exported(harness, { format: 'svg', ...all });
    expect(again).toEqual(first);
    await harness.createTables([tableWithId('newcomers', [])]);
    const { response } = await exported(harness, { format: 'svg', ...all });
    expect(response).not.toEqual(first.response);
  });
});
