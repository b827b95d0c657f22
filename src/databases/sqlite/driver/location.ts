import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { StudioError } from '../../../model/errors.ts';
import type { DatabaseTarget } from '../../../model/database.ts';

/** The location of a database: in memory, or in a file. */
export type Location =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly readOnly: boolean;
      readonly create: boolean;
    };

/** Accepts a path, `sqlite:path`, a `file:` URL, and `:memory:`, but no URL with another scheme. */
export function acceptsUrl(url: string): boolean {
  return /^(?:sqlite|file):/i.test(url) || !/^[a-z][a-z0-9+.:-]+:\/\//i.test(url);
}

/** The URL of a file. */
export function urlOf(path: string): string {
  return `sqlite:${path}`;
}

export function readLocation({ url, readOnly, create }: DatabaseTarget): Location {
  if (/^file:/i.test(url)) return readFileUrl(url, { readOnly, create });
  const path = url.replace(/^sqlite:(?:\/\/)?/i, '');
  if (path === '' || path === ':memory:') return { kind: 'memory' };
  return { kind: 'file', path: absolute(path), readOnly, create };
}

/** Parses `file:data.db?mode=ro` as SQLite does: https://www.sqlite.org/uri.html */
function readFileUrl(url: string, flags: Pick<DatabaseTarget, 'readOnly' | 'create'>): Location {
  const [, authority, encodedPath = '', query = ''] =
    /^file:(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  if (authority !== undefined && authority !== '' && authority.toLowerCase() !== 'localhost') {
    throw unusable(
      `The file: URL has the host "${authority}", but files of other hosts are not supported. Remove the host.`,
    );
  }
  const options = new URLSearchParams(query);
  const mode = readMode(options);
  const path = decodePath(encodedPath);
  if (mode === 'memory' || path === '' || path === ':memory:') return { kind: 'memory' };
  return {
    kind: 'file',
    path: absolute(path.replace(/^\/(?=[a-z]:)/i, '')),
    readOnly: flags.readOnly || mode === 'ro',
    create: flags.create || mode === 'rwc',
  };
}

/** `cache`, `psow` and Prisma's parameters have no effect here. Parameters that would open the file in another way are rejected. */
function readMode(options: URLSearchParams): string {
  for (const name of options.keys()) {
    if (name !== 'mode' && !ignoredParameters.includes(name))
      throw unusable(
        `The file: URL has the parameter "${name}", which the studio does not support.`,
      );
  }
  const mode = options.get('mode') ?? 'rw';
  if (['ro', 'rw', 'rwc', 'memory'].includes(mode)) return mode;
  throw unusable(`The file: URL has mode=${mode}; use ro, rw, rwc or memory.`);
}

const ignoredParameters = ['cache', 'psow', 'connection_limit', 'pool_timeout', 'socket_timeout'];

function decodePath(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw unusable('The path of the file: URL is not valid percent-encoding.');
  }
}

function absolute(path: string): string {
  return resolve(path.startsWith('~/') ? join(homedir(), path.slice(2)) : path);
}

function unusable(message: string): StudioError {
  return new StudioError('database_unavailable', message);
}
