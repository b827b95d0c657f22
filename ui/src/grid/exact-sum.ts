/** The exact sum of plain decimals. Undefined if there are none, or if one of the texts is not a plain decimal. */
export function exactSum(texts: readonly string[]): string | undefined {
  if (texts.length === 0 || !texts.every((text) => /^-?\d+(\.\d+)?$/.test(text))) return undefined;
  const scale = Math.max(...texts.map((text) => fractionOf(text).length));
  const sum = texts.reduce((total, text) => total + scaled(text, scale), 0n);
  if (scale === 0) return String(sum);
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function fractionOf(text: string): string {
  return text.split('.')[1] ?? '';
}

function scaled(text: string, scale: number): bigint {
  const fraction = fractionOf(text);
  return BigInt(text.replace('.', '') + '0'.repeat(scale - fraction.length));
}
