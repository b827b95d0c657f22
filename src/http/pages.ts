import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StudioError } from '../model/errors.ts';
import { acceptedCoding } from './encoding.ts';
import { pageHeaders } from './headers.ts';
import { lazy } from './lazy.ts';
import type { Coding } from './encoding.ts';
import type { HeaderFields } from './headers.ts';
import type { HttpResponse } from './http-response.ts';

/** The pages of the web studio. */
export interface Pages {
  /** Returns the page in the best coding that the client accepts. Throws `not_found`. */
  find(path: string, acceptEncoding: string | null): HttpResponse;
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

/** What the build has written beside a file, by coding. */
const compressedExtensions: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

/** Asset names contain a content hash, so they can be cached forever. */
const assetHeaders = { ...pageHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };

export interface PageOptions {
  /**
   * False: the home page is also at the prefix without a slash at its end, for frameworks that redirect
   * from `/studio/` to `/studio`, such as Next.js. By default that address redirects to the one with the slash.
   */
  readonly trailingSlash?: boolean;
}

/** Serves the pages below `base`, a prefix without a trailing slash. */
export function createPages(base: string, { trailingSlash = true }: PageOptions = {}): Pages {
  const home = `${base}/`;
  const redirect: HttpResponse = {
    status: 302,
    headers: { ...pageHeaders, Location: home },
    body: null,
  };
  const files = lazy(() => readFiles(base));
  return {
    find(path, acceptEncoding) {
      const file = files().get(path);
      if (file !== undefined) return encoded(file, acceptEncoding);
      const homePage = files().get(home);
      if (path === base && !trailingSlash && homePage !== undefined) return homePage.plain;
      if (path === '/' || path === base) return redirect;
      if (homePage !== undefined && isPage(path, home)) return homePage.plain;
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

/** A file, and how it is sent to clients that accept a coding. */
interface PageFile extends Readonly<Partial<Record<Coding, HttpResponse>>> {
  readonly plain: HttpResponse;
}

function encoded(file: PageFile, acceptEncoding: string | null): HttpResponse {
  const coding = acceptedCoding(acceptEncoding);
  return (coding && file[coding]) ?? file.plain;
}

/** Returns the page and its assets by path, or none if the web studio is not built. */
function readFiles(base: string): ReadonlyMap<string, PageFile> {
  if (uiFolder === undefined) return new Map();
  const index = readFileSync(join(uiFolder, 'index.html'), 'utf8');
  const names = readdirSync(join(uiFolder, 'assets'));
  const extensions = Object.values(compressedExtensions);
  const assets = names
    .filter((name) => !extensions.includes(extname(name)))
    .map((name): [string, PageFile] => [
      `${base}/assets/${name}`,
      readFile(join(uiFolder, 'assets', name), assetHeaders),
    ]);
  const html = { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' };
  return new Map([
    [`${base}/`, { plain: fileResponse(Buffer.from(withBase(index, base)), html) }],
    [`${base}/icon.svg`, readFile(join(uiFolder, 'icon.svg'), pageHeaders)],
    ...assets,
  ]);
}

/** The build compresses a file with each coding or, if it would gain nothing, with none. */
function readFile(path: string, headers: HeaderFields): PageFile {
  const type = mediaTypes[extname(path)] ?? 'application/octet-stream';
  const typed = { ...headers, 'Content-Type': type };
  if (!existsSync(path + compressedExtensions.br))
    return { plain: fileResponse(readFileSync(path), typed) };
  const varied = { ...typed, Vary: 'Accept-Encoding' };
  const inCoding = (coding: Coding): HttpResponse =>
    fileResponse(readFileSync(path + compressedExtensions[coding]), {
      ...varied,
      'Content-Encoding': coding,
    });
  return {
    plain: fileResponse(readFileSync(path), varied),
    br: inCoding('br'),
    gzip: inCoding('gzip'),
  };
}

/** The entity tag is that of the bytes as sent, so each coding has its own. */
function fileResponse(body: Buffer, headers: HeaderFields): HttpResponse {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { status: 200, headers: { ...headers, ETag: `"${digest}"` }, body };
}

/** The built page has relative URLs, which are wrong below `tables/`. Makes them absolute. */
function withBase(html: string, base: string): string {
  return html
    .replaceAll(/(href|src)="\.\//g, `$1="${base}/`)
    .replace('name="studio-base" content="/studio"', `name="studio-base" content="${base}"`);
}
