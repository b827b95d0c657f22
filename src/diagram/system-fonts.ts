/** Fonts of the system, for scripts that the bundled ones do not have. */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { StudioError } from '../model/errors.ts';
import { openFont } from './fonts.ts';
import type { FontFile } from './fonts.ts';

const folders: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/System/Library/Fonts', '/Library/Fonts', join(homedir(), 'Library/Fonts')],
  win32: [
    join(process.env['WINDIR'] ?? 'C:\\Windows', 'Fonts'),
    join(process.env['LOCALAPPDATA'] ?? homedir(), 'Microsoft\\Windows\\Fonts'),
  ],
};

const otherFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.fonts'),
  join(homedir(), '.local/share/fonts'),
];

/** Those that systems bring for reading at screen sizes, in order; what else there is comes after them. */
const preferred = [
  /NotoSansCJK|SourceHanSans|NotoSans(SC|TC|JP|KR)/i,
  /PingFang|Hiragino|AppleSDGothic|STHeiti/i,
  /^(msyh|meiryo|malgun|yugoth|simsun)/i,
  /wqy|DroidSansFallback/i,
  /Nirmala|Mangal|Leelawadee|Ebrima|Gadugi/i,
  /^Noto ?Sans/i,
  /^(DejaVuSans|Arial ?Unicode|unifont)/i,
];

/** Opening a font takes a millisecond or more; who has more of them can name one. */
const maxOpened = 400;

/** Fonts that were asked for by their files. */
export function openFonts(paths: readonly string[]): readonly FontFile[] {
  return paths.map((path) => {
    try {
      return openFont(path);
    } catch (error) {
      throw new StudioError('invalid_parameter', `The font ${path} cannot be read.`, {
        parameter: 'font',
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  });
}

/** Fonts that have what is missing, until nothing more is missing or all have been looked at. */
export function findSystemFonts(missing: Iterable<number>): readonly FontFile[] {
  const wanted = new Set(missing);
  const found: FontFile[] = [];
  if (wanted.size === 0) return found;
  for (const path of fontPaths().slice(0, maxOpened)) {
    const file = tryToOpen(path);
    const had = [...wanted].filter((character) => file?.font.hasGlyphForCodePoint(character));
    if (file === undefined || had.length === 0) continue;
    found.push(file);
    for (const character of had) wanted.delete(character);
    if (wanted.size === 0) break;
  }
  return found;
}

function fontPaths(): readonly string[] {
  const paths = (folders[process.platform] ?? otherFolders).flatMap(fontsIn);
  return paths.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function fontsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ttf|otf|ttc|otc)$/i.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function rank(path: string): number {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  const kind = preferred.findIndex((pattern) => pattern.test(name));
  const isPlain = !/bold|italic|oblique|black|light|thin|medium|condensed|mono|serif/i.test(name);
  return (kind === -1 ? preferred.length : kind) * 2 + (isPlain ? 0 : 1);
}

/** A broken font of the system is none of the studio's business. */
function tryToOpen(path: string): FontFile | undefined {
  try {
    return openFont(path);
  } catch {
    return undefined;
  }
}
