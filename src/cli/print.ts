/** Results: for people on a terminal, as JSON elsewhere. */
import type { OptionValues } from './options.ts';

interface Result {
  readonly json: string;
  /** For people; ends with a line break. */
  readonly text: () => string;
}

export function print({ json: wantsJson }: OptionValues, { json, text }: Result): void {
  process.stdout.write(process.stdout.isTTY && !wantsJson ? text() : `${json}\n`);
}
