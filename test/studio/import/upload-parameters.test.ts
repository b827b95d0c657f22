/** Parameters of imports in the query, in the form, in both or in neither. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importRoutes } from '../../../src/contract/imports.ts';
import { queryReader } from '../../../src/contract/read-query.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { readImportOptions } from '../../../src/studio/import/import-options.ts';
import { uploadParameters } from '../../../src/studio/import/upload-parameters.ts';

const upload = (fields: Readonly<Record<string, string>>) => ({ files: [], fields });

function queryOf(
  route: keyof typeof importRoutes,
  text: string,
): Readonly<Record<string, unknown>> {
  const parameters = importRoutes[route].query;
  return queryReader({ parameters, takesFilters: false })(text).values;
}

const flagWords = [undefined, 'true', 'false', '1', '0', 'yes'] as const;
const errorWords = [undefined, 'abort', 'skip', 'ignore'] as const;

/** The combined value of both. Undefined if they contradict each other or one is invalid. */
function combine<T>(
  words: readonly (string | undefined)[],
  values: Readonly<Record<string, T>>,
  fallback: T,
): T | undefined {
  const sent = words.filter((word) => word !== undefined);
  if (sent.some((word) => !Object.hasOwn(values, word))) return undefined;
  const read = new Set(sent.map((word) => values[word] as T));
  return read.size > 1 ? undefined : ([...read][0] ?? fallback);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof StudioError && error.code === 'invalid_parameter') return undefined;
    throw error;
  }
}

const withoutUndefined = (
  entries: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

const routes = (Object.keys(importRoutes) as (keyof typeof importRoutes)[]).filter(
  (route) => importRoutes[route].method === 'POST',
);

test('a parameter is accepted in the query or the form, and two different values are an error', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...routes),
      fc.tuple(fc.constantFrom(...flagWords), fc.constantFrom(...flagWords)),
      fc.tuple(fc.constantFrom(...errorWords), fc.constantFrom(...errorWords)),
      (route, dry, onError) => {
        const takesErrors = 'on_error' in importRoutes[route].query;
        const [queryError, formError] = takesErrors ? onError : [undefined, undefined];
        const query = new URLSearchParams(
          withoutUndefined({ dry_run: dry[0], on_error: queryError }),
        );
        const fields = withoutUndefined({ dry_run: dry[1], on_error: formError });
        const read = attempt(() => {
          const input = { ...queryOf(route, String(query)), upload: upload(fields) };
          const names = Object.keys(importRoutes[route].query) as ('dry_run' | 'on_error')[];
          const { flag, choice } = uploadParameters(input, names);
          return [flag('dry_run'), takesErrors ? choice('on_error', ['abort', 'skip']) : 'abort'];
        });
        const dryRun = combine(dry, { true: true, '1': true, false: false, '0': false }, false);
        const errors = combine([queryError, formError], { abort: 'abort', skip: 'skip' }, 'abort');
        const expected =
          dryRun === undefined || errors === undefined ? undefined : [dryRun, errors];
        expect(read).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('the options of a data import can all be in the form', () => {
  const fields = { dry_run: 'true', mode: 'replace', on_error: 'skip', on_conflict: 'update' };
  const options = readImportOptions({ ...queryOf('import-data', ''), upload: upload(fields) });
  expect(options).toMatchObject({
    dryRun: true,
    mode: 'replace',
    onError: 'skip',
    onConflict: 'update',
  });
});

test('a form field that is not a parameter is an error with the nearest name', () => {
  for (const route of routes) {
    const names = Object.keys(importRoutes[route].query) as 'dry_run'[];
    const work = () => uploadParameters({ upload: upload({ dryrun: 'true' }) }, names);
    expect(work).toThrow('The form field "dryrun" is not a parameter of this import. Did you mean "dry_run"?'); // prettier-ignore
  }
});
