/** Parses durations and sizes with units, such as `30s` and `1.5gb`. */

const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Binary units: 1kb is 1024 bytes. */
const bytes = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40 };

/** Returns milliseconds, or undefined for an invalid duration. */
export function readDuration(text: string): number | undefined {
  return readQuantity(text, milliseconds);
}

/** Returns bytes, or undefined for an invalid size. */
export function readSize(text: string): number | undefined {
  return readQuantity(text, bytes);
}

function readQuantity(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, amount, name = ''] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/i.exec(text.trim()) ?? [];
  const unit = Object.hasOwn(units, name.toLowerCase()) ? units[name.toLowerCase()] : undefined;
  return amount === undefined || unit === undefined ? undefined : Math.round(Number(amount) * unit);
}
