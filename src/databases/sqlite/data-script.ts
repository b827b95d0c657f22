import type { DataScript } from '../../sql/data-script.ts';

export const sqliteDataScript: DataScript = {
  signs: [
    { pattern: /^-- .* for sqlite, by Database Studio/gm, weight: 1000 },
    { pattern: /^PRAGMA\s/gim, weight: 30 },
    { pattern: /\bsqlite_(?:sequence|master|schema|stat\d)\b/g, weight: 20 },
    { pattern: /\bunistr\('|\breplace\('', *'', *char\(1[03]\)\)/g, weight: 20 },
    { pattern: /\b[Xx]''/g, weight: 2 },
  ],
  pointsAreDoubles: true,
  nameParts: 1,
  bitStringsAreBytes: false,
};
