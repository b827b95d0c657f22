import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const dist = join(import.meta.dirname, '..', '..', 'dist');
const request =
  /^(?:import|export)\b[^'"]*\bfrom ['"]([^'".][^'"]*)['"]|\bimport\(['"]([^'".][^'"]*)['"]\)/gm;

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

test('the compiled code imports only packages that are installed with it', ({ skip }) => {
  if (!existsSync(join(dist, 'LICENSES.txt'))) skip('nothing is built');
  const requestedModules = new Set<string>();
  for (const file of globSync('**/*.js', { cwd: dist, exclude: ['ui/**'] })) {
    const text = readFileSync(join(dist, file), 'utf8');
    for (const [, still, dynamic] of text.matchAll(request))
      requestedModules.add(packageOf(still ?? dynamic ?? ''));
  }
  const foreign = [...requestedModules].filter(
    (name) => !isBuiltin(name) && !name.startsWith('node:'),
  );
  expect(foreign).toContain('better-sqlite3');
  const installed = Object.keys(manifest.dependencies);
  expect(foreign.filter((name) => !installed.includes(name))).toEqual([]);
});

test('the modules that processes and threads start with are built where the sources look for them', ({
  skip,
}) => {
  if (!existsSync(join(dist, 'LICENSES.txt'))) skip('nothing is built');
  const sources = join(import.meta.dirname, '..', '..', 'src');
  const entries = globSync('**/*.ts', { cwd: sources }).flatMap((file) => {
    const text = readFileSync(join(sources, file), 'utf8');
    const urls = text.matchAll(/moduleUrl\(new URL\('([^']+)\.ts', import\.meta\.url\)\)/g);
    return [...urls].map(([, path = '']) => join(dirname(file), `${path}.js`));
  });
  expect(entries.length).toBeGreaterThan(5);
  expect(entries.filter((path) => !existsSync(join(dist, path)))).toEqual([]);
});
