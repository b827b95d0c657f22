/** Prints the result of a command: as text on a terminal, as JSON to files and pipes. */
import type { OptionValues } from './options.ts';

interface Result {
  readonly json: string;
  /** The text for a terminal of this width, which ends with a line break. */
  readonly text: (width: number) => string;
}

export function print({ json: wantsJson }: OptionValues, { json, text }: Result): void {
  process.stdout.write(process.stdout.isTTY && !wantsJson ? text(widthOfTerminal()) : `${json}\n`);
}

/** Terminals that do not tell their width are taken for unlimited ones. */
function widthOfTerminal(): number {
  return process.stdout.columns > 0 ? process.stdout.columns : Infinity;
}
