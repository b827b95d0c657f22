import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StudioError } from '../model/errors.ts';
import { pageHeaders } from './headers.ts';
import { lazy } from './lazy.ts';
import type { HttpResponse } from './http-response.ts';

/** The pages of the web studio. */
export interface Pages {
  /** Throws `not_found`. */
  find(path: string): HttpResponse;
}

/** The built web studio, relative to the compiled sources or to the source tree. */
const uiFolder = [new URL('../ui/', import.meta.url), new URL('../../dist/ui/', import.meta.url)]
  .map((url) => fileURLToPath(url))
  .find((folder) => existsSync(join(folder, 'index.html')));

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Asset names contain a content hash, so they can be cached forever. */
const assetHeaders = { ...pageHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Serves the pages below `base`, a prefix without a trailing slash. */
export function createPages(base: string): Pages {
  const home = `${base}/`;
  const redirect: HttpResponse = {
    status: 302,
    headers: { ...pageHeaders, Location: home },
    body: null,
  };
  const files = lazy(() => readFiles(base));
  return {
    find(path) {
      const file = files().get(path);
      if (file !== undefined) return file;
      if (path === '/' || path === base) return redirect;
      const homePage = files().get(home);
      if (homePage !== undefined && isPage(path, home)) return homePage;
      throw new StudioError(
        'not_found',
        `This page does not exist. The studio is at ${home}, its API is described by ${home}api/openapi.json.`,
      );
    },
  };
}

/** All pages are the same document. Its router reads the URL. */
function isPage(path: string, home: string): boolean {
  const rest = path.startsWith(home) ? path.slice(home.length) : undefined;
  return rest !== undefined && /^(tables\/[^/]+|sql|diagram|import|export|login)$/.test(rest);
}

/** Returns the page and its assets by path, or none if the web studio is not built. */
function readFiles(base: string): ReadonlyMap<string, HttpResponse> {
  if (uiFolder === undefined) return new Map();
  const index = readFileSync(join(uiFolder, 'index.html'), 'utf8');
  const assets = readdirSync(join(uiFolder, 'assets')).map((name): [string, HttpResponse] => [
    `${base}/assets/${name}`,
    fileResponse(join(uiFolder, 'assets', name), assetHeaders),
  ]);
  return new Map([
    [`${base}/`, page(withBase(index, base))],
    [`${base}/icon.svg`, fileResponse(join(uiFolder, 'icon.svg'), pageHeaders)],
    ...assets,
  ]);
}

function fileResponse(path: string, headers: HttpResponse['headers']): HttpResponse {
  const type = mediaTypes[extname(path)] ?? 'application/octet-stream';
  return { status: 200, headers: { ...headers, 'Content-Type': type }, body: readFileSync(path) };
}

/** The built page has relative URLs, which are wrong below `tables/`. Makes them absolute. */
function withBase(html: string, base: string): string {
  return html
    .replaceAll(/(href|src)="\.\//g, `$1="${base}/`)
    .replace('name="studio-base" content="/studio"', `name="studio-base" content="${base}"`);
}

function page(body: string): HttpResponse {
  return {
    status: 200,
    headers: { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' },
    body,
  };
}
