/**
 * `npm run release -- VERSION [--dry-run]`: the version in package.json and CHANGELOG.md, the package with its bill of
 * materials in release/, and a commit with a tag. VERSION is a version, or major, minor or patch. It pushes and
 * publishes nothing: .github/workflows/release.yml does, where npm can attest the provenance. With --dry-run, only
 * release/ remains.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cutChangelog } from './release/changelog.ts';
import { repositoryUrl, withRepository } from './release/repository.ts';
import { bomOfPackage, bundledIn } from './release/sbom.ts';
import { nextVersion } from './release/versions.ts';
import type { Manifest } from './release/repository.ts';
import type { Bom } from './release/sbom.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'release');

/** What the release changes. */
const changed = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

/** Sentences of the time before the first release. */
const outdated =
  /not (?:yet )?(?:released|published)|until the first release|no image is published yet/i;

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  }).trim();
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function checkTree(): void {
  const status = run('git', 'status', '--porcelain');
  if (status !== '') throw new Error(`Commit or remove these changes first:\n${status}`);
}

/** The pages must not say that nothing is released. */
function checkPages(): void {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = [
    'README.md',
    ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
  const found = pages.flatMap((page) =>
    read(page)
      .split('\n')
      .flatMap((line, index) => (outdated.test(line) ? [`${page}:${index + 1}: ${line}`] : [])),
  );
  if (found.length > 0)
    throw new Error(`These lines are not true after a release:\n${found.join('\n')}`);
}

function releasedVersions(): readonly string[] {
  const tags = run('git', 'tag', '--list', 'v[0-9]*');
  return tags === '' ? [] : tags.split('\n').map((tag) => tag.slice(1));
}

function writeVersion(version: string): void {
  run(
    'npm',
    'version',
    version,
    '--no-git-tag-version',
    '--allow-same-version',
    '--ignore-scripts',
  );
  const date = new Date().toISOString().slice(0, 10);
  const { text, notes } = cutChangelog(read('CHANGELOG.md'), version, date);
  writeFileSync(join(root, 'CHANGELOG.md'), text);
  writeFileSync(join(folder, 'notes.md'), `${notes}\n`);
}

/** Provenance needs it. Outside a workflow, package.json keeps the repository that it names. */
function writeRepository(): void {
  const url = repositoryUrl(process.env);
  const manifest = JSON.parse(read('package.json')) as Manifest;
  if (url !== undefined) {
    const text = JSON.stringify(withRepository(manifest, url), null, 2);
    writeFileSync(join(root, 'package.json'), `${text}\n`);
  } else if (manifest['repository'] === undefined)
    console.log('package.json names no repository, so npm would not publish it with provenance.');
}

/** `npm pack` builds all of it first. A dry run builds only what is older than its sources. */
function writePackage(dryRun: boolean): void {
  if (dryRun) run(process.execPath, 'scripts/build.ts', '--stale');
  const flags = dryRun ? ['--ignore-scripts'] : [];
  run('npm', 'pack', '--silent', '--pack-destination', folder, ...flags);
  const all = JSON.parse(
    run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'),
  ) as Bom;
  const bundled = bundledIn([read('dist/LICENSES.txt'), read('dist/ui/LICENSES.md')]);
  const { name } = JSON.parse(read('package.json')) as { name: string };
  const bom = bomOfPackage(all, name, bundled);
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`);
}

function commit(version: string): void {
  run('git', 'add', ...changed);
  run('git', 'commit', '--quiet', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
}

function release(request: string, dryRun: boolean): void {
  checkTree();
  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  const version = nextVersion(request, current, releasedVersions());
  checkPages();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  let isComplete = false;
  try {
    writeVersion(version);
    writeRepository();
    writePackage(dryRun);
    if (!dryRun) commit(version);
    isComplete = true;
  } finally {
    // The tree was clean, so this undoes nothing else.
    if (dryRun || !isComplete) run('git', 'checkout', 'HEAD', '--', ...changed);
  }
  console.log(`release/ has ${readdirSync(folder).toSorted().join(', ')}.`);
  console.log(
    dryRun
      ? `Dry run: ${version} was not committed.`
      : `v${version} is committed and tagged. Push it: git push --follow-tags`,
  );
}

try {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [request, ...more] = positionals;
  if (request === undefined || more.length > 0)
    throw new Error('Usage: npm run release -- VERSION|major|minor|patch [--dry-run]');
  release(request, values['dry-run']);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
