import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { demoSchema } from '../../src/demo/schema.ts';
import { paintSvg } from '../../src/diagram/paint-svg.ts';
import { drawingOf, hostileSchema } from './drawings.ts';
import { column, keyTo, schemaOf, tableOf } from './schemas.ts';

/** The elements of the document with their attributes, and the texts between them. */
function partsOf(svg: string): {
  readonly tags: readonly string[];
  readonly texts: readonly string[];
} {
  const tags = svg.match(/<[^>]*>/g) ?? [];
  const texts = svg
    .split(/<[^>]*>/)
    .map((text) =>
      text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&'),
    )
    .filter((text) => text.trim() !== '');
  return { tags, texts };
}

test('tables, columns, types and relations are text', async () => {
  const tables = [
    tableOf('authors', [column('id', 'bigint')]),
    {
      ...tableOf(
        'books',
        [
          column('id', 'bigint'),
          { ...column('author_id', 'bigint', true), comment: 'Who wrote it' },
        ],
        [keyTo('authors', 'author_id')],
      ),
      comment: 'What is sold',
    },
  ];
  const { texts } = partsOf(paintSvg(await drawingOf(schemaOf(tables)), 'light'));
  expect(texts).toEqual(
    expect.arrayContaining([
      'press',
      'authors',
      'books\nWhat is sold',
      'author_id',
      'bigint?',
      'author_id bigint NULL → authors.id\nWho wrote it',
      'books (author_id) → authors (id)',
    ]),
  );
});

test('contains no scripts, references or styles', async () => {
  for (const schema of [demoSchema, hostileSchema]) {
    const { tags } = partsOf(paintSvg(await drawingOf(schema), 'light'));
    const names = new Set(tags.map((tag) => /^<\/?([a-z]+)/.exec(tag)?.[1]));
    expect([...names].toSorted()).toEqual(['g', 'path', 'rect', 'svg', 'text', 'title']);
    const attributes = new Set(
      tags.flatMap((tag) => [...tag.matchAll(/ ([a-zA-Z:-]+)="/g)].map(([, name]) => name)),
    );
    for (const name of attributes) expect(name).not.toMatch(/^on|href|style|class|id$/);
  }
});

test('special characters in names change only the texts of the document', async () => {
  const drawing = await drawingOf(hostileSchema);
  const svg = paintSvg(drawing, 'dark');
  expect(svg.isWellFormed()).toBe(true);
  // Parses the document with a strict XML parser.
  const parsed = new Resvg(svg, { font: { loadSystemFonts: false } });
  expect(parsed.width).toBe(drawing.width);
  const { texts } = partsOf(svg);
  expect(texts).toContain(']]>');
  expect(texts).toContain('"quoted" & \'single\' &amp; &#60;');
  expect(texts.some((text) => text.includes('x'.repeat(2000)))).toBe(true);
});

test('long titles are shortened', async () => {
  const comment = 'long '.repeat(100_000);
  const svg = paintSvg(
    await drawingOf(schemaOf([{ ...tableOf('t', [column('id', 'text')]), comment }])),
    'light',
  );
  expect(svg.length).toBeLessThan(30_000);
});

test('the themes differ only in colors', async () => {
  const drawing = await drawingOf(demoSchema);
  const [light, dark] = [paintSvg(drawing, 'light'), paintSvg(drawing, 'dark')];
  const bare = (svg: string): string => svg.replaceAll(/#[\da-f]{6}/g, '');
  expect(light).not.toBe(dark);
  expect(bare(light)).toBe(bare(dark));
});
