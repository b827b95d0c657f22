import { afterAll, beforeAll, describe, test } from 'vitest';
import { expressions, strings } from './generated.ts';
import { judge } from './judge.ts';
import { openMariadb, openPostgres, openSqlite } from './native-values.ts';
import type { NativeValues } from './native-values.ts';

/** Strings and expressions of SQL files mean what the database that they are for makes of them. */
export function testValues(numRuns: number): void {
  describe.each([
    ['sqlite', openSqlite],
    ['postgres', openPostgres],
    ['mysql', openMariadb],
  ])('values of SQL files for %s', (name, open) => {
    let native: NativeValues | undefined;
    let missing = '';
    beforeAll(async () => {
      try {
        native = await open();
      } catch (error) {
        if (process.env['CI']) throw error;
        missing = String(error);
      }
    });
    afterAll(() => native?.close());

    test.each([
      ['strings', strings],
      ['expressions', expressions],
    ])('%s are read as the database reads them, or refused', async (_, texts) => {
      if (native === undefined) throw new Error(`no ${name}: ${missing}`);
      await judge(native, texts, numRuns);
    });
  });
}
