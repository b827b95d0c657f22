/** Formats a number of rows: `1 row`, `1,200 rows`. */
export function rowCountText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;
}
