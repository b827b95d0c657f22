/** The documentation as a static site, from the Markdown in docs/. `npm ci && npm run build` in this folder. */
import { cpSync, rmSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { defineConfig } from 'vitepress';
import type { MarkdownRenderer } from 'vitepress';

const docs = resolve(import.meta.dirname, '../../docs');
const pages = resolve(import.meta.dirname, '../pages');

// Pages outside this folder would not find its packages.
rmSync(pages, { recursive: true, force: true });
cpSync(docs, pages, { recursive: true });

const tasks = [
  ['Install', 'install'],
  ['Open a database', 'open'],
  ['Edit safely', 'edit'],
  ['Import', 'import'],
  ['Export', 'export'],
  ['GORM', 'gorm'],
  ['Diagram', 'diagram'],
  ['Embed', 'embed'],
  ['Secure', 'secure'],
  ['Scale', 'scale'],
  ['Operate', 'operate'],
  ['Containers', 'containers'],
  ['Agents', 'agents'],
  ['Compare', 'compare'],
  ['Troubleshooting', 'troubleshooting'],
] as const;

const reference = [
  ['API', 'api'],
  ['Errors', 'errors'],
  ['Options', 'options'],
  ['Client', 'client'],
  ['Opening a database', 'opening-a-database'],
  ['Data files', 'data-files'],
  ['Schema files', 'schema-files'],
  ['Importing schemas', 'importing-schemas'],
  ['Security', 'security'],
  ['Read-only', 'read-only'],
  ['Server for agents', 'agents'],
  ['SQL Server', 'databases/sqlserver'],
  ['Stability', 'stability'],
] as const;

const contributing = [
  ['Architecture', 'architecture'],
  ['Adding a database', 'adding-a-database'],
  ['Adding a format', 'adding-a-format'],
  ['Adding an endpoint', 'adding-an-endpoint'],
  ['Walk-through', 'walk-through'],
] as const;

type Entries = readonly (readonly [text: string, path: string])[];

function group(text: string, entries: Entries, folder = '/') {
  return { text, items: entries.map(([name, path]) => ({ text: name, link: `${folder}${path}` })) };
}

/** Links to files of the repository that are not pages of the site become plain text. */
function withoutOtherFiles(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('other-files', ({ tokens, env }) => {
    const { path } = env as { readonly path: string };
    for (const { children } of tokens) {
      let isDropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') isDropped = isOtherFile(token.attrGet('href') ?? '', path);
        if (isDropped && /^link_(?:open|close)$/.test(token.type)) {
          if (token.type === 'link_close') isDropped = false;
          Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '', attrs: null });
        }
      }
    }
  });
}

function isOtherFile(href: string, page: string): boolean {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return false;
  const folder = resolve(docs, relative(pages, dirname(page)));
  const target = relative(docs, resolve(folder, decodeURI(href.replace(/#.*/, ''))));
  return target.startsWith('..') || !target.endsWith('.md');
}

export default defineConfig({
  title: 'database-studio',
  description:
    'See the structure of any relational database, browse and edit its rows, and move data in and out.',
  srcDir: pages,
  outDir: resolve(import.meta.dirname, '../dist'),
  cacheDir: resolve(import.meta.dirname, '../node_modules/.cache'),
  base: process.env['SITE_BASE'] ?? '/',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md' },
  markdown: { config: withoutOtherFiles },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      group('By task', tasks, '/tasks/'),
      group('Reference', reference),
      group('For contributors', contributing),
    ],
  },
});
