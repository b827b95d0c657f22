import { afterAll, beforeAll, describe, test } from 'vitest';
import { casts, expressions, strings } from './generated.ts';
import { compareLiterals, compareCasts } from './compare-with-client.ts';
import { openMariadb, openPostgres, openSqlite } from './native-values.ts';
import type { NativeValues } from './native-values.ts';

/** Strings and expressions in SQL files have the value that their own database gives them. */
export function testValues({ numRuns }: { readonly numRuns: number }): void {
  describe.each([
    ['sqlite', openSqlite],
    ['postgres', openPostgres],
    ['mysql', openMariadb],
  ])('values of SQL files for %s', (name, open) => {
    let native: NativeValues | undefined;
    let unavailableReason = '';
    beforeAll(async () => {
      try {
        native = await open();
      } catch (error) {
        if (process.env['CI']) throw error;
        unavailableReason = String(error);
      }
    });
    afterAll(() => native?.close());

    test.each([
      ['strings', strings],
      ['expressions', expressions],
    ])('%s are read as the database reads them, or rejected', async (_, texts) => {
      if (native === undefined) throw new Error(`no ${name}: ${unavailableReason}`);
      await compareLiterals(native, texts, numRuns);
    });

    test('casts are exact in a column of SQLite, or rejected', async (context) => {
      if (name === 'sqlite') context.skip('SQLite has no types to cast to');
      if (native === undefined) throw new Error(`no ${name}: ${unavailableReason}`);
      await compareCasts(native, casts, numRuns);
    });
  });
}
