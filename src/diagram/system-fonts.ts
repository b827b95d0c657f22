/** Finds system fonts for scripts that the bundled fonts do not support. */
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

/** Sans-serif fonts that operating systems ship, in order of preference. Other fonts come after these. */
const preferred = [
  /NotoSansCJK|SourceHanSans|NotoSans(SC|TC|JP|KR)/i,
  /PingFang|Hiragino|AppleSDGothic|STHeiti/i,
  /^(msyh|meiryo|malgun|yugoth|simsun)/i,
  /wqy|DroidSansFallback/i,
  /Nirmala|Mangal|Leelawadee|Ebrima|Gadugi/i,
  /^Noto ?Sans/i,
  /^(DejaVuSans|Arial ?Unicode|unifont)/i,
];

/** Opening a font takes a millisecond or more. Users with more fonts can pass a font file. */
const maxOpened = 400;

/** Opens the font files that the user passed. */
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

/** Opens system fonts until all missing characters are covered or no fonts are left. */
export function findSystemFonts(missing: Iterable<number>): readonly FontFile[] {
  const uncovered = new Set(missing);
  const found: FontFile[] = [];
  if (uncovered.size === 0) return found;
  for (const path of fontPaths().slice(0, maxOpened)) {
    const file = tryToOpen(path);
    const covered = [...uncovered].filter((character) =>
      file?.font.hasGlyphForCodePoint(character),
    );
    if (file === undefined || covered.length === 0) continue;
    found.push(file);
    for (const character of covered) uncovered.delete(character);
    if (uncovered.size === 0) break;
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

/** Broken system fonts are skipped. */
function tryToOpen(path: string): FontFile | undefined {
  try {
    return openFont(path);
  } catch {
    return undefined;
  }
}
