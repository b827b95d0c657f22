/** `npm run release` with a complete build, a commit and a tag, in a repository of its own. */
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { nextVersion } from '../../scripts/release/versions.ts';
import {
  checkFiles,
  git,
  makeRepository,
  release,
  removeOutdatedLines,
} from './release-repository.ts';

test('a release is committed and tagged, once', { timeout: 600_000 }, () => {
  const folder = makeRepository();
  removeOutdatedLines(folder);
  const before = git(folder, 'rev-parse', 'HEAD');
  const version = nextVersion('minor', manifest.version, []);
  const { status, stderr } = release(folder, 'minor');
  expect(status, stderr).toBe(0);
  expect(git(folder, 'tag')).toBe(`v${version}`);
  expect(git(folder, 'status', '--porcelain')).toBe('');
  expect(git(folder, 'diff', '--name-only', before, `v${version}`).split('\n')).toEqual([
    'CHANGELOG.md',
    'package-lock.json',
    'package.json',
  ]);
  checkFiles(folder, version);
  expect(release(folder, version)).toMatchObject({
    status: 1,
    stderr: `${version} is already released.\n`,
  });
});
