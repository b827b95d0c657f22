/** An import with an Idempotency-Key is carried out once by all copies of a studio, however often it is sent. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createStudio } from '../../src/studio/studio.ts';
import type { Studio } from '../../src/studio/studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-imports-'));
const file = join(folder, 'rows.db');
const database = new BetterSqlite3(file);
database.exec('CREATE TABLE things (name TEXT)');
let copies: readonly Studio[] = [];

beforeAll(async () => {
  const open = (): Promise<Studio> => createStudio({ url: file, stateDir: join(folder, 'state') });
  copies = [await open(), await open()];
});

afterAll(async () => {
  for (const studio of copies) await studio.close();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

interface SentImport {
  readonly copy: number;
  readonly key: string;
  readonly text: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

async function send({ copy, key, text, accept = '*/*', signal }: SentImport): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([text]), 'things.csv');
  return createApp(copies[copy]!).fetch(
    new Request('http://localhost/studio/api/import/data?table=things', {
      method: 'POST',
      headers: { 'Idempotency-Key': key, Accept: accept },
      body: form,
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

/** Returns the result or the error of an import, without the lines of its progress. */
async function outcomeOf(response: Response): Promise<unknown> {
  const lines = (await response.text()).trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1)!) as { readonly result?: unknown };
  return last.result ?? last;
}

const accepted = fc.constantFrom('application/json', 'application/x-ndjson');
const sent = fc.record({
  copy: fc.nat(1),
  key: fc.constantFrom('a', 'b', 'c'),
  name: fc.constantFrom('ada', 'grace'),
  isValid: fc.boolean(),
  accept: accepted,
  /** Whether the client sends the request at both copies at the same time. */
  isDoubled: fc.boolean(),
});

let run = 0;

test('each import is carried out once, by whichever copy', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 5 }), async (imports) => {
      run += 1;
      database.exec('DELETE FROM things');
      const firsts = new Map<string, { readonly text: string; readonly outcome: unknown }>();
      const expected: string[] = [];
      for (const { copy, name, isValid, accept, isDoubled, ...request } of imports) {
        const key = `${request.key}-${run}`;
        const text = isValid ? `name\n${name}\n` : `nam\n${name}\n`;
        const at = isDoubled ? [copy, 1 - copy] : [copy];
        const outcomes = await Promise.all(
          at.map(async (each) => outcomeOf(await send({ copy: each, key, text, accept }))),
        );
        const first = firsts.get(key) ?? { text, outcome: outcomes[0] };
        if (first.text !== text) {
          for (const outcome of outcomes)
            expect(outcome).toMatchObject({ code: 'invalid_parameter' });
          continue;
        }
        if (!firsts.has(key) && isValid) expected.push(name);
        firsts.set(key, first);
        expect(first.outcome).toMatchObject(
          isValid ? { rows_imported: 1 } : { code: 'import_failed' },
        );
        for (const outcome of outcomes) expect(outcome).toEqual(first.outcome);
      }
      const rows = database.prepare('SELECT name FROM things').pluck().all();
      expect(rows.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 12 },
  );
}, 120_000);

test('an import goes on if its client disconnects, and its repetition gets the result', async () => {
  database.exec('DELETE FROM things');
  const text = `name\n${'ada\n'.repeat(200_000)}`;
  const client = new AbortController();
  const lost = await send({
    copy: 0,
    key: 'lost',
    text,
    accept: 'application/x-ndjson',
    signal: client.signal,
  });
  // The import runs when the first line of its progress has come.
  const lines = lost.body!.getReader();
  await lines.read();
  client.abort();
  await lines.cancel().catch(() => {});
  const repeated = await send({ copy: 1, key: '"lost";age=1', text });
  expect(await outcomeOf(repeated)).toMatchObject({ rows_imported: 200_000 });
  expect(database.prepare('SELECT count(*) FROM things').pluck().get()).toBe(200_000);
});

test('an app is settled when the import of a client that has gone has ended', async () => {
  database.exec('DELETE FROM things');
  const form = new FormData();
  form.set('file', new Blob([`name\n${'ada\n'.repeat(100_000)}`]), 'things.csv');
  const app = createApp(copies[0]!);
  await app.settled();
  const client = new AbortController();
  const response = await app.fetch(
    new Request('http://localhost/studio/api/import/data?table=things', {
      method: 'POST',
      headers: { 'Idempotency-Key': 'gone', Accept: 'application/x-ndjson' },
      body: form,
      signal: client.signal,
    }),
  );
  const lines = response.body!.getReader();
  await lines.read();
  client.abort();
  await app.settled();
  expect(database.prepare('SELECT count(*) FROM things').pluck().get()).toBe(100_000);
});

test('files of other content or name, and other fields, are other requests', async () => {
  const form = (name: string, fields: Readonly<Record<string, string>>): FormData => {
    const data = new FormData();
    for (const [field, value] of Object.entries(fields)) data.set(field, value);
    data.set('file', new Blob(['name\nada\n']), name);
    return data;
  };
  const statusOf = async (body: FormData): Promise<number> => {
    const response = await createApp(copies[0]!).fetch(
      new Request('http://localhost/studio/api/import/data', {
        method: 'POST',
        headers: { 'Idempotency-Key': 'forms' },
        body,
      }),
    );
    return response.status;
  };
  expect(await statusOf(form('things.csv', { table: 'things', trim: 'true' }))).toBe(200);
  // The order of the fields is not part of the request.
  expect(await statusOf(form('things.csv', { trim: 'true', table: 'things' }))).toBe(200);
  expect(await statusOf(form('other.csv', { table: 'things', trim: 'true' }))).toBe(400);
  expect(await statusOf(form('things.csv', { table: 'things', trim: 'false' }))).toBe(400);
});
