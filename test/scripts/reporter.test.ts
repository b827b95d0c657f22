import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

interface Run {
  status: number | null;
  lines: string[];
}

/** Runs cases of test/fixtures/reporter in a separate vitest process. */
function runCases(...names: string[]): Run {
  return runCasesWith({}, ...names);
}

function runCasesWith(variables: Record<string, string>, ...names: string[]): Run {
  const config = join(root, 'test/fixtures/reporter/vitest.config.ts');
  const args = [vitest, 'run', '--config', config, ...names];
  const env = {
    ...process.env,
    STUDIO_TEST_SLOWEST: '0',
    STUDIO_TEST_PROGRESS: '',
    ...variables,
    NO_COLOR: '1',
  };
  const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

test('a successful run prints one line', () => {
  expect(runCases('passing')).toEqual({ status: 0, lines: ['1 passed, 0 failed, 0 skipped'] });
});

test('the slowest files are printed on request', () => {
  const { lines } = runCasesWith({ STUDIO_TEST_SLOWEST: '1' }, 'passing', 'failing');
  const times = lines.filter((line) => /^ *\d+\.\d s, /.test(line)).map((line) => line.trim());
  expect(times).toEqual([
    expect.stringMatching(/ of it loading {2}(passing|failing)\.case\.ts$/),
    expect.stringMatching(/ s, [\d.]+ of it loading {2}all 2 files, some of them side by side$/),
  ]);
});

test('each file is printed as it ends on request, before the summary', () => {
  const { lines } = runCasesWith({ STUDIO_TEST_PROGRESS: '1' }, 'passing');
  expect(lines).toEqual([
    expect.stringMatching(/^passing\.case\.ts: 1 passed, 0 failed, 0 skipped, [\d.]+ s$/),
    '1 passed, 0 failed, 0 skipped',
  ]);
});

test('each reason for skipping is printed once, with its count', () => {
  const { status, lines } = runCases('passing', 'skipping');
  expect(status).toBe(0);
  expect(lines).toEqual([
    'skipped 2: no server',
    'skipped 1: no reason given: skipping.case.ts > nobody says why',
    '1 passed, 0 failed, 3 skipped',
  ]);
});

test('failed tests and hooks are printed with their errors, and fail the run', () => {
  const { status, lines } = runCases('failing');
  expect(status).toBe(1);
  expect(lines).toContain('FAIL failing.case.ts > is wrong');
  expect(lines).toContain('FAIL failing.case.ts > hook');
  expect(lines.join('\n')).toContain('the hook broke');
  expect(lines.slice(-2)).toEqual([
    'skipped 1: the set-up failed',
    '0 passed, 2 failed, 1 skipped',
  ]);
});

test('an error outside any test is a failure', () => {
  const { status, lines } = runCases('unhandled');
  expect(status).toBe(1);
  expect(lines.join('\n')).toContain('nobody waits for this');
  expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped');
});

test('a file that cannot be loaded is a failure', () => {
  const { status, lines } = runCases('broken', 'passing');
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped');
});

test('a run without any test fails', () => {
  const nothing = { status: 1, lines: ['0 passed, 0 failed, 0 skipped'] };
  expect(runCases('no-such-case')).toEqual(nothing);
  expect(runCases('skipping').status).toBe(1);
});
