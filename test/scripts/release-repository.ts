/** A repository with the files of this one, to make releases in. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { makeFolder } from '../cli/command.ts';
import type { Bom } from '../../scripts/release/sbom.ts';

const root = join(import.meta.dirname, '..', '..');

export function git(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

/** A repository with one commit, in which the pages say nothing of the time before the first release. */
export function makeRepository(): string {
  const folder = makeFolder();
  const files = git(root, 'ls-files', '--cached', '--others', '--exclude-standard').split('\n');
  for (const file of files.filter(
    (each) => !each.startsWith('test/') && existsSync(join(root, each)),
  )) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  // After the sources, so that it is not older.
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  git(folder, 'init', '--quiet', '--initial-branch=main');
  // .gitignore names the folder, not a link to one.
  appendFileSync(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
  for (const [key, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.com'],
  ] as const)
    git(folder, 'config', key, value);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Begin');
  return folder;
}

/** As GitHub sets it in a workflow. */
const workflowEnvironment = {
  GITHUB_SERVER_URL: 'https://git.example.com',
  GITHUB_REPOSITORY: 'an-owner/a.studio',
};

export function release(folder: string, ...args: readonly string[]) {
  const script = join(folder, 'scripts', 'release.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...workflowEnvironment },
  });
  return { status, stdout, stderr };
}

/** Removes the lines that a release reports as outdated. */
export function removeOutdatedLines(folder: string): void {
  const { status, stderr } = release(folder, 'patch', '--dry-run');
  if (status === 0) return;
  const found = [...stderr.matchAll(/^(\S+\.md):(\d+): /gm)];
  expect(found.length, stderr).toBeGreaterThan(0);
  for (const [, page = '', line = ''] of found) {
    const lines = readFileSync(join(folder, page), 'utf8').split('\n');
    lines[Number(line) - 1] = '';
    writeFileSync(join(folder, page), lines.join('\n'));
  }
  git(folder, 'commit', '--quiet', '--all', '--message', 'Remove what is outdated');
}

/** Checks that release/ has the package and a bill of materials of what users get, and nothing else. */
export function checkFiles(folder: string, version: string): void {
  const tarball = `database-studio-${version}.tgz`;
  expect(readdirSync(join(folder, 'release')).toSorted()).toEqual([
    tarball,
    'notes.md',
    'sbom.cdx.json',
  ]);
  const listed = execFileSync('tar', ['tzf', join(folder, 'release', tarball)], {
    encoding: 'utf8',
  });
  expect(listed.split('\n')).toEqual(
    expect.arrayContaining([
      'package/dist/index.js',
      'package/dist/ui/LICENSES.md',
      'package/docs/api.md',
    ]),
  );
  const packed = execFileSync(
    'tar',
    ['xzOf', join(folder, 'release', tarball), 'package/package.json'],
    { encoding: 'utf8' },
  );
  const url = 'https://git.example.com/an-owner/a.studio';
  expect(JSON.parse(packed)).toMatchObject({
    version,
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
    repository: { type: 'git', url: `git+${url}.git` },
  });
  const bom = readFileSync(join(folder, 'release', 'sbom.cdx.json'), 'utf8');
  checkBom(JSON.parse(bom) as Bom, version);
}

/** Users get the dependencies and what is bundled, and nothing that is only used to develop. */
function checkBom(bom: Bom, version: string): void {
  const names = bom.components.map(({ name }) => name);
  expect(bom.metadata.component).toMatchObject({ name: 'database-studio', version });
  for (const name of [
    ...Object.keys(manifest.dependencies),
    'hono',
    'pg',
    'react',
    '@xyflow/react',
  ])
    expect(names).toContain(name);
  for (const name of ['vitest', 'typescript', 'oxlint', 'express', 'playwright-core'])
    expect(names).not.toContain(name);
  const refs = new Set([bom.metadata.component, ...bom.components].map((each) => each['bom-ref']));
  for (const { ref, dependsOn } of bom.dependencies)
    expect([ref, ...dependsOn].filter((each) => !refs.has(each))).toEqual([]);
}
