/** The index of the documentation, and what its pages name. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOptionName } from '../../src/cli/options.ts';
import { routes } from '../../src/contract/routes.ts';
import { errorDefinitions } from '../../src/model/errors.ts';
import type { Route } from '../../src/contract/route.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md'));
const tasks = pages.filter((name) => name.startsWith('tasks/'));

const read = (name: string): string => readFileSync(join(docs, name), 'utf8');

/** The targets of the links of a text, without those to other sites. */
function links(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target));
}

/** The anchors that GitHub gives the headings of a page. */
function anchors(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  const slug = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  return new Set(headings.map(slug));
}

describe('docs/README.md', () => {
  test('lists every page', () => {
    const listed = new Set(links(read('README.md')));
    expect(pages.filter((name) => name !== 'README.md' && !listed.has(name))).toEqual([]);
    expect(listed).toContain('llms.txt');
  });

  test('lists the same tasks as llms.txt', () => {
    const listed = links(read('llms.txt'));
    expect(listed.filter((target) => target.startsWith('tasks/')).toSorted()).toEqual(
      tasks.toSorted(),
    );
  });
});

test.each(pages)('the links of docs/%s lead to pages and headings', (page) => {
  const broken = links(read(page)).filter((target) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(docs, page) : join(docs, dirname(page), path);
    if (!existsSync(file)) return true;
    return anchor !== undefined && !anchors(readFileSync(file, 'utf8')).has(anchor);
  });
  expect(broken).toEqual([]);
});

test('the page of troubleshooting has every error code, and no other', () => {
  const cells = [...read('tasks/troubleshooting.md').matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)];
  const codes = cells.flatMap(([, cell = '']) => cell.split(', ').map((code) => code.slice(1, -1)));
  expect(codes.toSorted()).toEqual(Object.keys(errorDefinitions).toSorted());
});

test('the pages by task name only existing options and parameters', () => {
  const parameters = Object.values<Route>(routes).flatMap(({ query }) => Object.keys(query));
  const flags = new Set(parameters.map((name) => name.replaceAll('_', '-')));
  // The comparison also names options of other programs.
  const namedFlags = tasks
    .filter((name) => name !== 'tasks/compare.md')
    .flatMap((name) => [...read(name).matchAll(/`--([a-z-]+)/g)].map(([, flag = '']) => flag));
  expect(namedFlags.length).toBeGreaterThan(20);
  expect(namedFlags.filter((name) => !isOptionName(name) && !flags.has(name))).toEqual([]);
});
