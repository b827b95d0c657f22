/** Sends random statements to a studio, and checks by another connection what they changed. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { readBody } from '../databases/kit/harness.ts';
import type { Studio, StudioOptions } from '../../src/studio/studio.ts';

const secret = 'c2VjcmV0-of-the-folder';

/** Passes a temporary folder with a file `secret` in it. */
export async function withFolder(useFolder: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'database-studio-read-only-'));
  await writeFile(join(folder, 'secret'), secret);
  try {
    await useFolder(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface ReadOnlyCheck {
  readonly options: StudioOptions;
  readonly statements: fc.Arbitrary<string>;
  readonly runs: number;
  readonly folder: string;
  /** The state that must not change, read without the studio. */
  state(): Promise<string>;
  /** A query that is sent to the studio after each statement. Its response must always be the same. */
  readonly probe: string;
  /**
   * A write that the studio must accept after each statement, and the number of such writes, read
   * without the studio.
   */
  readonly expectWriteAccepted?: { readonly query: string; count(): Promise<number> };
}

/** Runs the statements one after the other. Fails at the first that changed the state. */
export async function expectUnchanged(check: ReadOnlyCheck): Promise<void> {
  const studio = await createStudio(check.options);
  try {
    const expected = await stateAndProbe(studio, check);
    const property = fc.asyncProperty(check.statements, async (query) => {
      const response = await runSql(studio, query);
      expect(response).not.toContain(secret);
      expect(response).not.toContain(Buffer.from(secret).toString('hex').toUpperCase());
      expect(await stateAndProbe(studio, check)).toEqual(expected);
      await expectWriteAccepted(studio, check);
    });
    await fc.assert(property, { numRuns: check.runs, endOnFailure: true });
  } finally {
    await studio.close();
  }
}

async function expectWriteAccepted(
  studio: Studio,
  { expectWriteAccepted: probe }: ReadOnlyCheck,
): Promise<void> {
  if (probe === undefined) return;
  const before = await probe.count();
  expect(JSON.parse(await runSql(studio, probe.query))).toMatchObject({ type: 'write' });
  expect(await probe.count()).toBe(before + 1);
}

/** The response as JSON, or the error. */
async function runSql(studio: Studio, query: string): Promise<string> {
  try {
    return JSON.stringify(
      await readBody(await studio.perform('run-sql', { body: JSON.stringify({ query }) })),
    );
  } catch (error) {
    return JSON.stringify({ refused: String(error) });
  }
}

async function stateAndProbe(
  studio: Studio,
  { state, probe, folder }: ReadOnlyCheck,
): Promise<unknown> {
  const { rows, refused } = JSON.parse(await runSql(studio, probe)) as Record<string, unknown>;
  const files = await Promise.all(
    (await readdir(folder))
      .toSorted()
      .map(async (name) => [name, await readFile(join(folder, name), 'latin1')]),
  );
  return { probe: rows ?? refused, files, state: await state() };
}
