import type { DataScript } from '../../sql/data-script.ts';

export const sqlserverDataScript: DataScript = {
  signs: [
    { pattern: /^-- .* for sqlserver, by Database Studio/gm, weight: 1000 },
    { pattern: /^GO[ \t]*\r?$/gim, weight: 20 },
    { pattern: /\bIDENTITY_INSERT\b/gi, weight: 20 },
    { pattern: /\bINSERT\s+(?:INTO\s+)?\[/gi, weight: 10 },
    { pattern: /\[dbo\]/gi, weight: 20 },
    { pattern: /[(,]\s*N'/g, weight: 5 },
  ],
  pointsAreDoubles: false,
  nameParts: 2,
  bitStringsAreBytes: false,
};
