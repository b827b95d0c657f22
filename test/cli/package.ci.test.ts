/** What users get when they install the package: its files, and the types of its entry points. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyPackage } from './copy-package.ts';
import { makeFolder, run } from './command.ts';

const root = join(import.meta.dirname, '..', '..');
const isBuilt = existsSync(join(root, 'dist', 'LICENSES.txt'));

/** The paths of the files in the tarball. */
function packedFiles(): ReadonlySet<string> {
  const command = 'npm pack --dry-run --json --ignore-scripts';
  const { stdout } = spawnSync(command, { cwd: root, encoding: 'utf8', shell: true });
  const [tarball] = Object.values(JSON.parse(stdout) as Record<string, Tarball>);
  return new Set(tarball?.files.map(({ path }) => path));
}

interface Tarball {
  readonly files: readonly { readonly path: string }[];
}

/** The files that a page links to or shows. */
async function linkedFiles(page: string): Promise<readonly string[]> {
  const text = await readFile(join(root, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const files = links.filter((target) => !/^(?:https?:|#)/.test(target));
  return files.map((target) => posix.join(dirname(page), target.split('#')[0] ?? ''));
}

test('the pages in the package, and their pictures, link to files in the package', async () => {
  const packed = packedFiles();
  const pages = [...packed].filter(
    (path) => path === 'README.md' || /^(?:docs|examples)\/.*\.(?:md|txt)$/.test(path),
  );
  expect(pages.length).toBeGreaterThan(10);
  const missing: string[] = [];
  for (const page of pages) {
    const links = await linkedFiles(page);
    missing.push(...links.filter((path) => !packed.has(path)).map((path) => `${page}: ${path}`));
  }
  expect(missing).toEqual([]);
});

/** A folder in which the package is installed, with the types of Node. */
function projectWithPackage(): string {
  const folder = makeFolder();
  copyPackage(join(folder, 'node_modules', 'database-studio'));
  for (const name of ['@types/node', 'undici-types']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
  return folder;
}

const program = `import { createStudio } from 'database-studio';
import { createClient } from 'database-studio/client';

async function main(): Promise<void> {
  const studio = await createStudio({ url: ':memory:' });
  const client = createClient({
    url: 'http://localhost/studio',
    fetch: (url, init) => studio.fetch(new Request(url, init)),
  });
  const { body } = await client.call('GET /schema');
  console.log(body.tables.length, body.driver);
  // @ts-expect-error the types are known, not any
  void body.driver.columns;
  await studio.close();
}
void main();
`;

describe.skipIf(!isBuilt)('the installed package', () => {
  test.each([
    ['program.mts', 'nodenext', 'nodenext'],
    ['program.cts', 'nodenext', 'nodenext'],
    ['program.mts', 'node16', 'node16'],
    ['program.mts', 'esnext', 'bundler'],
  ])('has types for %s with the module system %s', (file, module, moduleResolution) => {
    const folder = projectWithPackage();
    writeFileSync(join(folder, file), program);
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = [
      '--module',
      module,
      '--moduleResolution',
      moduleResolution,
      '--target',
      'es2024',
    ];
    const checks = ['--strict', '--noEmit', '--types', 'node', '--skipLibCheck', 'false'];
    const { stdout } = spawnSync(process.execPath, [compiler, ...flags, ...checks, file], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  test.each([
    ['program.mts', program],
    ['program.cjs', program.replaceAll(/import (\{.*\}) from '(.*)'/g, "const $1 = require('$2')")],
  ])('runs as %s', async (name, code) => {
    const file = join(projectWithPackage(), name);
    writeFileSync(file, name.endsWith('cjs') ? code.replace(': Promise<void>', '') : code);
    expect(await run([], { file })).toEqual({ status: 0, stdout: '0 sqlite\n', stderr: '' });
  });

  test('has a client that imports nothing', async () => {
    const text = await readFile(join(root, 'dist', 'client.js'), 'utf8');
    expect(text).not.toMatch(/^import\b|\bimport\(|\brequire\(|\bprocess\./m);
  });
});
