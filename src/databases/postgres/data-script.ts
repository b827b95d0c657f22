import type { DataScript } from '../../sql/data-script.ts';

export const postgresDataScript: DataScript = {
  signs: [
    { pattern: /^-- .* for postgres, by Database Studio/gm, weight: 1000 },
    { pattern: /^-- PostgreSQL database dump/gm, weight: 50 },
    { pattern: /^COPY\s[^;]*\sFROM\s+stdin/gim, weight: 30 },
    {
      pattern: /^SET\s+(?:LOCAL|client_encoding|standard_conforming_strings|search_path)\b/gim,
      weight: 20,
    },
    { pattern: /^\\(?:c|connect|restrict|encoding|set|\.)(?![\w])/gm, weight: 30 },
    { pattern: /\bpg_catalog\./g, weight: 20 },
    { pattern: /\bINTO\s+"?public"?\./gi, weight: 10 },
    { pattern: /'::[a-z]/g, weight: 5 },
    { pattern: /\(E'|, ?E'/g, weight: 5 },
  ],
  pointsAreDoubles: false,
  nameParts: 2,
  bitStringsAreBytes: false,
};
