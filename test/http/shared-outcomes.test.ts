/** Copies of a studio that share a state folder carry out a request with an Idempotency-Key once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createSharedIdempotency } from '../../src/http/idempotency.ts';
import { createSharedOutcomes } from '../../src/http/shared-outcomes.ts';
import { StudioError } from '../../src/model/errors.ts';
import { createStudio } from '../../src/studio/studio.ts';
import type { Idempotency } from '../../src/http/idempotency.ts';

const parent = mkdtempSync(join(tmpdir(), 'studio-outcomes-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const intervals = { beat: 20, silence: 20_000, retention: 600_000, sweep: 60_000 };

function copyWith(folder: string, options: Partial<typeof intervals> = {}): Idempotency<string> {
  const onFailure = (error: unknown): void => {
    throw error;
  };
  return createSharedIdempotency(
    createSharedOutcomes({ folder, onFailure, intervals: { ...intervals, ...options } }),
  );
}

function newFolder(): string {
  return mkdtempSync(join(parent, 'f'));
}

const first = (key: string) => ({ key, ageMs: undefined });

/** What happens to the request if the copy carries it out. */
const fate = fc.constantFrom(
  'written',
  'rejected',
  'busy',
  'unreachable',
  'ended',
  'lost',
  'killed',
  'defect',
);

const failures = {
  rejected: ['unique_violation', {}],
  busy: ['database_busy', {}],
  unreachable: ['database_unavailable', { outcome: 'nothing_written' }],
  ended: ['statement_timeout', { outcome: 'nothing_written' }],
  lost: ['database_unavailable', { outcome: 'unknown' }],
} as const;

/** After these nothing was written, so the request is carried out when it is repeated. */
const released: readonly unknown[] = [undefined, 'busy', 'unreachable', 'ended'];
const steps = fc.array(
  fc.record({ copy: fc.nat(2), key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), fate }),
  { maxLength: 20 },
);

/** What the error of a repeated request says of the first one. */
const causes: Readonly<Record<string, RegExp>> = {
  killed: /the copy of the studio that received it ended/,
  defect: /leaves open what was written\. Read/,
  lost: /leaves open what was written \(lost \w+\)/,
};

test('whichever copy receives a request and whichever is killed, it is carried out once', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sent) => {
      const folder = newFolder();
      // A killed copy gives no signs of life, so the others need not wait long for one.
      const quiet = { beat: 1_000_000, silence: 30 };
      const copies = [0, 1, 2].map(() => copyWith(folder, quiet));
      const carriedOut = new Map<string, string>();
      for (const { copy, key, fate } of sent) {
        let isCarriedOut = false;
        const started = Promise.withResolvers<'killed'>();
        const perform = (): Promise<string> => {
          isCarriedOut = true;
          if (fate === 'killed') {
            // The process ends, and another one takes its place.
            started.resolve('killed');
            copies[copy] = copyWith(folder, quiet);
            return new Promise(() => {});
          }
          if (fate === 'written') return Promise.resolve(`outcome of ${key}`);
          if (fate === 'defect') return Promise.reject(new TypeError('a defect'));
          const [code, details] = failures[fate];
          const error = new StudioError(code, `${fate} ${key}`, { ...details, column: key });
          return Promise.reject(error);
        };
        const outcome = await Promise.race([
          copies[copy]!.run(first(key), `content of ${key}`, perform),
          started.promise,
        ]).catch((error: unknown) => error);
        const earlier = carriedOut.get(key);
        expect(isCarriedOut, `${key} was ${earlier ?? 'not sent'} before`).toBe(
          released.includes(earlier),
        );
        if (isCarriedOut) carriedOut.set(key, fate);
        else if (earlier === 'written') expect(outcome).toBe(`outcome of ${key}`);
        else
          expect(outcome).toMatchObject(
            earlier === 'rejected'
              ? { code: 'unique_violation', message: `rejected ${key}`, details: { column: key } }
              : { code: 'outcome_unknown', message: expect.stringMatching(causes[earlier!]!) },
          );
      }
    }),
    { numRuns: 40 },
  );
});

test('requests at several copies at the same time wait for the one that is carried out', async () => {
  const folder = newFolder();
  const copies = Array.from({ length: 3 }, () => copyWith(folder));
  const release = Promise.withResolvers<void>();
  let carriedOut = 0;
  const all = Array.from({ length: 12 }, (_, i) =>
    copies[i % 3]!.run(first('a'), 'content', async () => {
      carriedOut += 1;
      await release.promise;
      return 'outcome';
    }),
  );
  setTimeout(release.resolve, 300);
  expect(new Set(await Promise.all(all))).toEqual(new Set(['outcome']));
  expect(carriedOut).toBe(1);
});

test('a copy that is slow and gives signs of life has not ended', async () => {
  const folder = newFolder();
  const release = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const slow = copyWith(folder).run(first('a'), 'content', () => {
    started.resolve();
    return release.promise;
  });
  await started.promise;
  // Ten signs of life in the time after which a silent copy has ended.
  const waiting = copyWith(folder, { silence: 2000 }).run(first('a'), 'content', () =>
    Promise.resolve('carried out again'),
  );
  setTimeout(() => release.resolve('outcome'), 4000);
  expect(await Promise.all([slow, waiting])).toEqual(['outcome', 'outcome']);
});

test('a repeated request that no copy knows is carried out only if one would know it', async () => {
  const folder = newFolder();
  const copy = copyWith(folder);
  const write = (key: string, ageMs?: number): Promise<string> =>
    copy.run({ key, ageMs }, 'content', () => Promise.resolve('written'));
  expect(await write('a')).toBe('written');
  await expect(write('b', 60_000)).rejects.toMatchObject({
    code: 'outcome_unknown',
    message: expect.stringContaining('longer ago than the studio remembers'),
  });
  expect(await write('b')).toBe('written');
  expect(await write('b', 60_000)).toBe('written');
  await expect(copy.run(first('a'), 'other', async () => '')).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
});

test('when its folder is lost, nothing is written', async () => {
  const folder = newFolder();
  const copy = copyWith(folder);
  expect(await copy.run(first('a'), 'content', async () => 'written')).toBe('written');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  let carriedOut = false;
  const written = copy.run(first('b'), 'content', async () => {
    carriedOut = true;
    return '';
  });
  await expect(written).rejects.toMatchObject({ code: 'state_unavailable' });
  expect(carriedOut).toBe(false);
});

test('a copy that cannot use its folder from the start remembers its own requests', async () => {
  const folder = join(newFolder(), 'a-file');
  writeFileSync(folder, '');
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  const copy = createSharedIdempotency<number>(createSharedOutcomes({ folder, onFailure }));
  let writes = 0;
  const write = async (): Promise<number> => ++writes;
  expect(await copy.run(first('a'), 'content', write)).toBe(1);
  expect(await copy.run({ key: 'a', ageMs: 0 }, 'content', write)).toBe(1);
  expect(failures).toMatchObject([{ code: 'state_unavailable' }]);
});

test('two studios with one state folder insert one row, also after a restart', async () => {
  const folder = newFolder();
  const file = join(folder, 'rows.db');
  const database = new BetterSqlite3(file);
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
  const send = async (keyHeader: string): Promise<readonly unknown[]> => {
    const studio = await createStudio({ url: file, stateDir: join(folder, 'state') });
    try {
      const response = await createApp(studio, {}).fetch(
        new Request('http://localhost/studio/api/tables/things/rows', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': keyHeader },
          body: JSON.stringify({ name: 'once é' }),
        }),
      );
      return [response.status, response.headers.get('location'), await response.text()];
    } finally {
      await studio.close();
    }
  };
  const responses = await Promise.all(['"one"', '"one"'].map(send));
  responses.push(await send('"one";age=1'));
  expect(responses[0]).toEqual([
    201,
    '/studio/api/tables/things/rows/1',
    expect.stringContaining('once é'),
  ]);
  expect(new Set(responses.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(database.prepare('SELECT count(*) FROM things').pluck().get()).toBe(1);
});
