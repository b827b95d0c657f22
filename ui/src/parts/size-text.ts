const units = ['B', 'kB', 'MB', 'GB'];

/** Formats a number of bytes: `203 kB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
