/**
 * The Dockerfile. No image is built here: that needs a daemon, and is done by .github/workflows/container.yml. These
 * tests run what the image would have, under the same conditions: only the files that it copies, another user, no
 * writable paths but two.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { optionNames, optionOf, variableOf } from '../../src/cli/options.ts';
import { makeFolder } from '../cli/command.ts';
import { freePort } from '../servers/free-port.ts';
import { copiesOf, readStages, root, textOf, variablesOf } from './dockerfile.ts';

const isBuilt = existsSync(join(root, 'dist', 'LICENSES.txt'));
const stages = readStages();
const image = stages.at(-1)!;
const user = 65_532;

describe('the Dockerfile', () => {
  test('copies only files of the source that exist', () => {
    const sources = stages.flatMap(copiesOf).filter(({ from }) => from === undefined);
    const missing = sources
      .flatMap(({ sources: paths }) => paths)
      .filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  test('runs as another user than root', () => {
    expect(textOf(image, 'USER')).toBe(`${user}:${user}`);
    const state = copiesOf(image).find(({ target }) => target === '/state');
    expect(state).toBeDefined();
  });

  test('sets only variables of options, and exposes the default port', () => {
    const variables = new Set(optionNames.map(variableOf));
    expect([...variablesOf(image).keys()].filter((name) => !variables.has(name))).toEqual([]);
    expect(textOf(image, 'EXPOSE')).toBe(optionOf('port').default);
  });

  test('has a version of Node that the package supports, the same in each stage', () => {
    const versions = stages.map(({ image: name }) => Number(/node(?:js)?:?(\d+)/.exec(name)?.[1]));
    const [oldest = NaN] = /\d+/.exec(manifest.engines.node) ?? [];
    expect(new Set(versions).size).toBe(1);
    expect(versions[0]).toBeGreaterThanOrEqual(Number(oldest));
  });

  test('keeps secrets and what is not needed out of the build', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/.env', 'dist']));
    const copied = copiesOf(image).flatMap(({ sources }) => sources);
    const needed = copied
      .map((path) => path.replace('/source/', ''))
      .filter((path) => ignored.includes(path));
    // dist is made in the image, and package.json names what is not.
    expect(needed).toEqual(['dist']);
  });
});

/** Copies what the image has into a folder, which belongs to root and which others can only read. */
function makeImage(): string {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  for (const { sources, target } of copiesOf(image)) {
    if (target === '/state') continue;
    for (const source of sources) {
      const path = source.replace(/^\/(?:source|studio)\//, '');
      const copy = target === './' ? path : target;
      mkdirSync(dirname(join(folder, copy)), { recursive: true });
      if (path === 'node_modules') copyDependencies(join(folder, copy));
      else cpSync(join(root, path), join(folder, copy), { recursive: true });
    }
  }
  return folder;
}

function copyDependencies(folder: string): void {
  for (const name of Object.keys(manifest.dependencies))
    cpSync(join(root, 'node_modules', name), join(folder, name), { recursive: true });
}

/** Without root, the user of the test has the place of the image's user. */
const isRoot = process.getuid?.() === 0;
const account = isRoot ? { uid: user, gid: user } : {};

function writableFolder(): string {
  const folder = makeFolder();
  if (isRoot) chownSync(folder, user, user);
  return folder;
}

/** The words of a command in exec form, with this Node. */
function commandOf(text: string): readonly string[] {
  const [, ...words] = JSON.parse(text) as readonly string[];
  return words;
}

async function start(env: Readonly<Record<string, string>>) {
  const folder = makeImage();
  const state = writableFolder();
  const variables = {
    ...Object.fromEntries(variablesOf(image)),
    ...env,
    STUDIO_PORT: String(await freePort()),
    STUDIO_STATE_DIR: state,
    TMPDIR: writableFolder(),
    HOME: '/nonexistent',
  };
  const spawned = (words: readonly string[]) =>
    spawn(process.execPath, words, { cwd: folder, env: variables, ...account });
  const child = spawned(commandOf(textOf(image, 'ENTRYPOINT')));
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const health = async (): Promise<number> => {
    const [, command = ''] = textOf(image, 'HEALTHCHECK').split(' CMD ');
    const [status] = (await once(spawned(commandOf(command)), 'exit')) as [number];
    return status;
  };
  const url = `http://127.0.0.1:${variables.STUDIO_PORT}/studio`;
  return { child, health, state, url, output: () => output };
}

describe.skipIf(!isBuilt || process.platform === 'win32')('the files of the image', () => {
  test('serve the demo, import and export, healthy, until SIGTERM', async () => {
    const { child, health, state, url, output } = await start({ STUDIO_AUTH: 'ada:secret' });
    expect(await health()).toBe(1);
    await expect.poll(output).toContain('Studio ready at');
    expect(await health()).toBe(0);
    const headers = { Authorization: `Basic ${btoa('ada:secret')}` };
    expect((await fetch(`${url}/api/config`)).status).toBe(401);
    const body = new FormData();
    body.append('file', new Blob(['id,name\n1,Ada\n']), 'people.csv');
    const imported = await fetch(`${url}/api/import/data?create_table=true`, {
      method: 'POST',
      headers,
      body,
    });
    expect(await imported.json()).toMatchObject({ rows_imported: 1 });
    for (const path of [
      'export/data?format=xlsx',
      'export/schema?format=pdf',
      'export/schema?format=png',
    ]) {
      const response = await fetch(`${url}/api/${path}`, { headers });
      expect(response.status, path).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    }
    if (isRoot) expect(statSync(join(state, 'demo-v1.db')).uid).toBe(user);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('do not start without credentials', async () => {
    const { child, output } = await start({});
    const [status] = (await once(child, 'exit')) as [number];
    expect({ status, output: output() }).toEqual({
      status: 2,
      output: expect.stringContaining('gives other machines access'),
    });
  });
});
