/** `npm run release`, dry. `release.full.test.ts` makes one. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { cutChangelog } from '../../scripts/release/changelog.ts';
import { repositoryUrl, withRepository } from '../../scripts/release/repository.ts';
import { bomOfPackage, bundledIn } from '../../scripts/release/sbom.ts';
import { compareVersions, nextVersion } from '../../scripts/release/versions.ts';
import {
  checkFiles,
  git,
  makeRepository,
  release,
  removeOutdatedLines,
} from './release-repository.ts';
import type { Bom } from '../../scripts/release/sbom.ts';

const root = join(import.meta.dirname, '..', '..');
const isBuilt = existsSync(join(root, 'dist', 'LICENSES.txt'));

describe.skipIf(!isBuilt)('a release', () => {
  // npm runs four times.
  test('that is dry makes its files, and changes nothing else', { timeout: 600_000 }, () => {
    const folder = makeRepository();
    removeOutdatedLines(folder);
    const before = git(folder, 'rev-parse', 'HEAD');
    const { status, stdout, stderr } = release(folder, manifest.version, '--dry-run');
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('was not committed');
    expect(git(folder, 'status', '--porcelain')).toBe('');
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(before);
    expect(git(folder, 'tag')).toBe('');
    checkFiles(folder, manifest.version);
  });

  test('is rejected with changes that are not committed, and says which', () => {
    const folder = makeRepository();
    writeFileSync(join(folder, 'README.md'), 'changed');
    const { status, stderr } = release(folder, 'patch', '--dry-run');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('README.md'),
    });
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('changed');
  });

  test.each([[[]], [['patch', 'minor']], [['1.2']], [['0.0.1']]])('with %j is an error', (args) => {
    const folder = makeRepository();
    const { status, stderr } = release(folder, ...args, '--dry-run');
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(git(folder, 'status', '--porcelain')).toBe('');
  });
});

const component = (name: string, isDevelopment: boolean) => ({
  name,
  version: '1.0.0',
  'bom-ref': `${name}@1.0.0`,
  properties: isDevelopment ? [{ name: 'cdx:npm:package:development', value: 'true' }] : [],
});

describe('the bill of materials', () => {
  const all: Bom = {
    metadata: { component: component('folder', false) },
    components: [component('used', false), component('@a/bundled', true), component('tool', true)],
    dependencies: [{ ref: 'folder@1.0.0', dependsOn: ['used@1.0.0', 'tool@1.0.0'] }],
  };

  test('lists dependencies and what is bundled', () => {
    const bundled = bundledIn([
      '@a/bundled 1.0.0, MIT\n\ntext, 1.0 (a)\n',
      '## used - 1.0.0 (ISC)\n',
    ]);
    expect(bomOfPackage(all, 'name', bundled)).toMatchObject({
      metadata: { component: { name: 'name' } },
      components: [{ name: 'used' }, { name: '@a/bundled', scope: 'required', properties: [] }],
      dependencies: [{ ref: 'folder@1.0.0', dependsOn: ['used@1.0.0'] }],
    });
  });

  test('fails if npm does not know a bundled package', () => {
    expect(() => bomOfPackage(all, 'name', new Set(['other 2.0.0']))).toThrow('other 2.0.0');
  });
});

const number = fc.nat(20);
const versions = fc
  .tuple(
    number,
    number,
    number,
    fc.option(fc.tuple(fc.constantFrom('alpha', 'beta', 'rc'), number)),
  )
  .map(([a, b, c, preview]) => `${a}.${b}.${c}${preview === null ? '' : `-${preview.join('.')}`}`);

/** A key whose order as a text is that of the versions. */
function orderKey(version: string): string {
  const [numbers = '', preview = '~'] = version.split('-');
  const padded = [...numbers.split('.'), ...preview.split('.')];
  return padded.map((part) => part.padStart(/^\d+$/.test(part) ? 3 : 0, '0')).join(' ');
}

describe('versions', () => {
  test('are in the order of their numbers, previews first', () => {
    fc.assert(
      fc.property(versions, versions, (one, two) => {
        const [a, b] = [orderKey(one), orderKey(two)];
        expect(Math.sign(compareVersions(one, two))).toBe(a === b ? 0 : a < b ? -1 : 1);
      }),
    );
  });

  test('only go up', () => {
    fc.assert(
      fc.property(versions, fc.constantFrom('major', 'minor', 'patch'), (current, part) => {
        expect(compareVersions(nextVersion(part, current, []), current)).toBeGreaterThan(0);
      }),
    );
  });

  test('are released once: the current one if no tag has it', () => {
    expect(nextVersion('1.2.3', '1.2.3', ['1.2.2'])).toBe('1.2.3');
    expect(nextVersion('patch', '1.2.3-rc.1', ['1.2.3-rc.1'])).toBe('1.2.3');
    expect(() => nextVersion('1.2.3', '1.2.3', ['1.2.3'])).toThrow('already released');
    expect(() => nextVersion('patch', '1.2.3', ['1.10.0'])).toThrow('1.10.0 is already released');
  });
});

describe('the repository in package.json', () => {
  const server = 'https://github.com';

  test('is that of the workflow', () => {
    const url = repositoryUrl({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: 'owner/name' });
    expect(url).toBe('https://github.com/owner/name');
    expect(repositoryUrl({})).toBe(undefined);
    const once = withRepository(manifest, 'https://github.com/other/name');
    const twice = withRepository(once, 'https://github.com/owner/name');
    expect(twice).toEqual({
      ...manifest,
      homepage: 'https://github.com/owner/name#readme',
      bugs: { url: 'https://github.com/owner/name/issues' },
      repository: { type: 'git', url: 'git+https://github.com/owner/name.git' },
    });
    expect(Object.keys(twice)).toEqual(Object.keys(once));
  });

  test.each([
    ['http://github.com', 'owner/name'],
    [server, 'owner'],
    [server, 'owner/name/more'],
    [`${server}/`, 'owner/name'],
    ['', ''],
  ])('is not %s with %s', (GITHUB_SERVER_URL, GITHUB_REPOSITORY) => {
    expect(() => repositoryUrl({ GITHUB_SERVER_URL, GITHUB_REPOSITORY })).toThrow('no repository');
  });
});

describe('the changelog', () => {
  const text = '# Changelog\n\n## [Unreleased]\n\n- New\n\n## [0.1.0] - 2026-01-01\n\n- Old\n';

  test('gives its unreleased section the version, and begins a new one', () => {
    expect(cutChangelog(text, '0.2.0', '2026-02-01')).toEqual({
      text: '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-01\n\n- New\n\n## [0.1.0] - 2026-01-01\n\n- Old\n',
      notes: '- New',
    });
  });

  test('that has nothing new is an error', () => {
    const empty = cutChangelog(text, '0.2.0', '2026-02-01').text;
    expect(() => cutChangelog(empty, '0.3.0', '2026-03-01')).toThrow('empty');
    expect(() => cutChangelog(text, '0.1.0', '2026-03-01')).toThrow('already has');
    expect(() => cutChangelog('# Changelog\n', '0.1.0', '2026-03-01')).toThrow('no section');
  });
});

test('the workflow runs scripts that exist, and publishes with provenance unless it is a dry run', () => {
  const file = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8');
  const { jobs } = parse(file) as {
    jobs: { release: { permissions: object; steps: readonly { run?: string; if?: string }[] } };
  };
  const { permissions, steps } = jobs.release;
  expect(permissions).toMatchObject({ 'id-token': 'write', contents: 'write' });
  const commands = steps.map(({ run = '' }) => run).join('\n');
  for (const [, name = ''] of commands.matchAll(/npm run ([\w:]+)/g))
    expect(Object.keys(manifest.scripts)).toContain(name);
  const outward = steps.filter(({ run = '' }) => /npm publish|git push|gh release/.test(run));
  expect(outward).toHaveLength(3);
  expect(outward.every((step) => step.if === '${{ !inputs.dry_run }}')).toBe(true);
  expect(commands).toContain('--provenance');
});
