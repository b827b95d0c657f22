/**
 * Bundles the sources into dist: the entry points of the package, its command, its child processes and its
 * threads, and the chunks that they share. A process that starts reads ten files instead of a thousand, and
 * an install of the package downloads four packages instead of eighty-five.
 */
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { build } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };
import type { Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'src');
const dist = join(root, 'dist');

/** Each keeps its path below src, where `moduleUrl` looks for it. */
const entries = [
  'index.ts',
  'cli/main.ts',
  'job.ts',
  'worker.ts',
  'processes/watchdog.ts',
  'diagram/elk-worker.ts',
  'databases/mysql/effects/names-worker.ts',
  'databases/postgres/effects/mentions-worker.ts',
  'studio/sql/classify-worker.ts',
];

/**
 * The sources find files beside them by `import.meta.url`. In a chunk it is replaced by the URL that the
 * file would have if each source were compiled by itself.
 */
const sourceUrls: Plugin = {
  name: 'source-urls',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!path.startsWith(sources + sep) || !text.includes('import.meta.url')) return undefined;
      const compiled = relative(sources, path).replaceAll(sep, '/').replace(/\.ts$/, '.js');
      const url = `new URL(${JSON.stringify(compiled)}, distUrl).href`;
      const contents = `import { distUrl } from 'dist-url';\n${text.replaceAll('import.meta.url', url)}`;
      return { contents, loader: 'ts' };
    });
    onResolve({ filter: /^dist-url$/ }, ({ path }) => ({ path, namespace: 'dist-url' }));
    // Several entry points need it, so it is in a chunk, and all chunks are directly in dist.
    onLoad({ filter: /./, namespace: 'dist-url' }, () => ({
      contents: "export const distUrl = new URL('./', import.meta.url);",
    }));
  },
};

/** Packages that are left out of the bundle. Only logins to SQL Server by Entra need them, which the studio does not offer. */
const omittedPackages = /^@azure\//;

const dependencies = Object.keys(packageJson.dependencies);

const packages: Plugin = {
  name: 'packages',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      if (omittedPackages.test(path)) return { path, namespace: 'omitted' };
      const isInstalled = dependencies.some((name) => path === name || path.startsWith(`${name}/`));
      return isInstalled ? { path, external: true } : undefined;
    });
    onLoad({ filter: /./, namespace: 'omitted' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const { metafile } = await build({
  entryPoints: entries.map((path) => join(sources, path)),
  outbase: sources,
  outdir: dist,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  metafile: true,
  legalComments: 'none',
  absWorkingDir: root,
  logLevel: 'error',
  // CommonJS packages load the modules of Node with `require`, which ESM does not define.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  plugins: [sourceUrls, packages],
});

// Browsers load the client too, so it is one file that imports no modules of Node.
await build({
  entryPoints: [join(sources, 'client.ts')],
  outdir: dist,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  legalComments: 'none',
  absWorkingDir: root,
  logLevel: 'error',
});

removeUnusedDeclarations();
writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(Object.keys(metafile.inputs)));

/** The licenses of all packages in the bundle, which require that their text is distributed with them. */
function licensesOf(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => packageFolder(path) ?? []));
  return [...folders].toSorted().map(licenseOf).join('\n\n');
}

/** The folder of the package that a file belongs to, such as `node_modules/@js-joda/core`. */
function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll(sep, '/'))?.[0];
}

function licenseOf(packagePath: string): string {
  const path = join(root, packagePath);
  const { name, version, license } = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, string>>;
  const texts = readdirSync(path)
    .filter((entry) => /^(?:licen[cs]e|notice)/i.test(entry))
    .map((entry) => `\n${readFileSync(join(path, entry), 'utf8').trimEnd()}\n`);
  const title = [name, [version, license].filter(Boolean).join(', ')].join(' ');
  return [title, ...texts].join('\n');
}

/** The compiler writes a declaration file for every source. Only those that the entry points refer to are published. */
function removeUnusedDeclarations(): void {
  const usedFiles = new Set(['index', 'client'].map((name) => join(dist, `${name}.d.ts`)));
  for (const file of usedFiles) {
    const imports = readFileSync(file, 'utf8').matchAll(/["'](\.[^"']+)\.ts["']/g);
    for (const [, path = ''] of imports) usedFiles.add(join(dirname(file), `${path}.d.ts`));
  }
  for (const path of globSync('**/*.d.ts', { cwd: dist, exclude: ['ui/**'] }))
    if (!usedFiles.has(join(dist, path))) rmSync(join(dist, path));
}
