/** The dependencies of the studio, and that it sends no requests (SECURITY.md 16). */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundledPackages } from '../../scripts/bundled-packages.ts';

const root = join(import.meta.dirname, '..', '..');

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const lockFile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};
const packages = Object.entries(lockFile.packages).filter(([path]) => path !== '');

describe('the lock file', () => {
  test('has the digest of every package, and an https address', () => {
    const packagesWithoutDigest = packages.filter(
      ([, { integrity, link }]) => link !== true && integrity === undefined,
    );
    expect(packagesWithoutDigest.map(([path]) => path)).toEqual([]);
    for (const [path, { resolved }] of packages)
      if (resolved !== undefined) expect(resolved, path).toMatch(/^https:\/\//);
  });

  test('has exact versions', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      // An alias installs another version of a package beside the first, as `npm:name@version`.
      expect(version).toMatch(/^(?:npm:[\w./@-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  test('has no production package with an install script, except for native code', () => {
    const packagesWithScript = packages.filter(
      ([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true,
    );
    const names = packagesWithScript.map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => name !== 'better-sqlite3')).toEqual([]);
  });

  test('the package itself has no install script', () => {
    const names = Object.keys(manifest.scripts);
    for (const name of ['install', 'preinstall', 'postinstall']) expect(names).not.toContain(name);
  });
});

/** Locked packages and all that they depend on, as entries of the lock file. */
function withDependencies(paths: readonly string[]): readonly (readonly [string, LockedPackage])[] {
  const found = new Set(paths);
  for (const path of found) {
    for (const name of Object.keys(lockFile.packages[path]?.dependencies ?? {}))
      found.add(lockedPath(path, name));
  }
  return [...found].map((path) => [path, lockFile.packages[path] ?? {}]);
}

/** Where Node finds a package that another one imports: in its own folder, or in one above it. */
function lockedPath(from: string, name: string): string {
  const parts = from.split('/node_modules/');
  const paths = parts.map((_, i) => [...parts.slice(0, parts.length - i), name]);
  const nested = paths.map((path) => path.join('/node_modules/'));
  return nested.find((path) => path in lockFile.packages) ?? `node_modules/${name}`;
}

describe('licenses', () => {
  /**
   * Licenses under which users of the studio may use, change and redistribute it. EPL-2.0 requires
   * publishing changes only of elkjs itself.
   */
  const permissive = [
    'MIT',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    '0BSD',
    'EPL-2.0',
  ];
  const productionPackages = packages.filter(([, { dev, link }]) => dev !== true && link !== true);
  const allBundledPackages = withDependencies(
    bundledPackages.map((name) => `node_modules/${name}`),
  );

  test.each([...productionPackages, ...allBundledPackages])(
    '%s has a permissive license',
    (path, { license }) => {
      if (license !== undefined)
        return expect(license.split(' OR ').some((each) => permissive.includes(each))).toBe(true);
      // The manifest names no license, so the license file must.
      const [file = ''] = readdirSync(join(root, path)).filter((name) => /^licen[cs]e/i.test(name));
      expect(readFileSync(join(root, path, file), 'utf8')).toMatch(/\bMIT\b/);
    },
  );

  test('the bundled fonts include their licenses', () => {
    const fonts = join(root, 'src', 'diagram', 'fonts');
    expect(readFileSync(join(fonts, 'OFL.txt'), 'utf8')).toContain('SIL OPEN FONT LICENSE');
  });
});

/** Files below a folder, as texts. */
function textsBelow(folder: string, ending: RegExp): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => ending.test(name))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

/** URLs that only serve as names, such as XML namespaces, or that nothing loads. */
const allowedUrl =
  /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]|[\w.]*example\b|www\.w3\.org|purl\.org|schemas\.openxmlformats\.org)/;

describe('no telemetry', () => {
  test('the server sends no requests: it contains neither fetch nor an HTTP client', () => {
    for (const [name, text] of textsBelow(join(root, 'src'), /\.ts$/)) {
      if (name.startsWith('contract/')) continue;
      const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
      expect(code, name).not.toMatch(
        /(?:await|=|return) fetch\(|globalThis\.fetch|https?\.(?:get|request)\(|from 'node:https'|node:dns/,
      );
    }
  });

  test('the web studio loads nothing from other servers', () => {
    const ui = join(root, 'dist', 'ui');
    if (!existsSync(ui)) return;
    for (const [name, text] of textsBelow(ui, /\.(?:html|css)$/)) {
      for (const [address] of text.matchAll(/https?:\/\/[^\s"')]+/g))
        expect(address, name).toMatch(allowedUrl);
    }
  });
});
