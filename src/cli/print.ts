/** Prints the result of a command: as text on a terminal, as JSON to files and pipes. */
import type { OptionValues } from './options.ts';

interface Result {
  readonly json: string;
  /** The text for a terminal, which ends with a line break. */
  readonly text: () => string;
}

export function print({ json: wantsJson }: OptionValues, { json, text }: Result): void {
  process.stdout.write(process.stdout.isTTY && !wantsJson ? text() : `${json}\n`);
}
