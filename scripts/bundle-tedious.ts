/**
 * Puts the driver of SQL Server into the compiled file that uses it: by itself it brings ten times its
 * size of packages for logins by Entra, which the studio does not know.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

import { build } from 'esbuild';
import type { Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist', 'databases', 'sqlserver', 'driver');
const file = join(folder, 'driver.js');

/** Files of ours stay files; what only logins by Entra need is left out. */
const onlyTedious: Plugin = {
  name: 'only-tedious',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, importer }) =>
      importer === file ? { path, external: true } : undefined,
    );
    onResolve({ filter: /^@azure\// }, ({ path }) => ({ path, namespace: 'left-out' }));
    onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const { metafile } = await build({
  entryPoints: [file],
  outfile: file,
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  metafile: true,
  legalComments: 'none',
  absWorkingDir: root,
  logLevel: 'error',
  // What is not ESM asks for Node's own modules by `require`.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  plugins: [onlyTedious],
});

writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(Object.keys(metafile.inputs)));

/** Those of all packages that are in the bundle, as their authors ask. */
function licencesOf(inputs: readonly string[]): string {
  const packages = new Set(inputs.flatMap((path) => packageFolder(path) ?? []));
  return [...packages].toSorted().map(licenceOf).join('\n');
}

/** `node_modules/@js-joda/core` of a file within. */
function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll(sep, '/'))?.[0];
}

function licenceOf(packagePath: string): string {
  const path = join(root, packagePath);
  const { name, version, license } = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, string>>;
  const found = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
  const text =
    found === undefined ? '' : `\n${readFileSync(join(path, found), 'utf8').trimEnd()}\n`;
  return `${name} ${version}, ${license}\n${text}`;
}
