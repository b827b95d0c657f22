import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StudioError } from '../model/errors.ts';
import { pageHeaders } from './headers.ts';
import { lazily } from './lazily.ts';
import type { Answer } from './answer.ts';

/** What a browser is shown. */
export interface Pages {
  /** Throws `not_found`. */
  find(path: string): Answer;
}

/** The built web studio: beside the compiled sources, or where they will be. */
const uiFolder = [new URL('../ui/', import.meta.url), new URL('../../dist/ui/', import.meta.url)]
  .map((url) => fileURLToPath(url))
  .find((folder) => existsSync(join(folder, 'index.html')));

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Names of assets change with what is in them. */
const assetHeaders = { ...pageHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };

/** The pages below `base`, a prefix without a slash at its end. */
export function createPages(base: string): Pages {
  const home = `${base}/`;
  const redirect: Answer = { status: 302, headers: { ...pageHeaders, Location: home }, body: null };
  const files = lazily(() => readFiles(base));
  return {
    find(path) {
      const file = files().get(path);
      if (file !== undefined) return file;
      if (path === '/' || path === base) return redirect;
      const homePage = files().get(home);
      if (homePage !== undefined && isPage(path, home)) return homePage;
      throw new StudioError(
        'not_found',
        `There is nothing here. The studio is at ${home}, its API described by ${home}api/openapi.json.`,
      );
    },
  };
}

/** Every address of the studio's own is the same page, which looks at it. */
function isPage(path: string, home: string): boolean {
  const rest = path.startsWith(home) ? path.slice(home.length) : undefined;
  return rest !== undefined && /^(tables\/[^/]+|sql|diagram|import|export|login)$/.test(rest);
}

/** A page and its assets, by address; without a built studio, none. */
function readFiles(base: string): ReadonlyMap<string, Answer> {
  if (uiFolder === undefined) return new Map();
  const index = readFileSync(join(uiFolder, 'index.html'), 'utf8');
  const assets = readdirSync(join(uiFolder, 'assets')).map((name): [string, Answer] => [
    `${base}/assets/${name}`,
    fileAnswer(join(uiFolder, 'assets', name), assetHeaders),
  ]);
  return new Map([
    [`${base}/`, page(placed(index, base))],
    [`${base}/icon.svg`, fileAnswer(join(uiFolder, 'icon.svg'), pageHeaders)],
    ...assets,
  ]);
}

function fileAnswer(path: string, headers: Answer['headers']): Answer {
  const type = mediaTypes[extname(path)] ?? 'application/octet-stream';
  return { status: 200, headers: { ...headers, 'Content-Type': type }, body: readFileSync(path) };
}

/** The page's own addresses are relative: right at the top, wrong at `tables/users`. */
function placed(html: string, base: string): string {
  return html
    .replaceAll(/(href|src)="\.\//g, `$1="${base}/`)
    .replace('name="studio-base" content="/studio"', `name="studio-base" content="${base}"`);
}

function page(body: string): Answer {
  return {
    status: 200,
    headers: { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' },
    body,
  };
}
