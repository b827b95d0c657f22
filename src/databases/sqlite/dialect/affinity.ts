/** The type that SQLite converts a column's values to: https://www.sqlite.org/datatype3.html#determination_of_column_affinity */
export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric';

/** The affinity of a declared type, by the first rule that matches. */
export function affinityOf(declared: string, strict = false): Affinity {
  const name = declared.toUpperCase();
  if (strict && name === 'ANY') return 'blob';
  if (name.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(name)) return 'text';
  if (name === '' || name.includes('BLOB')) return 'blob';
  if (/REAL|FLOA|DOUB/.test(name)) return 'real';
  return 'numeric';
}
