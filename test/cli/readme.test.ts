import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isOptionName } from '../../src/cli/options.ts';
import { makeFolder, serve } from './command.ts';
import { freePort } from '../servers/free-port.ts';

/** The requests, programs and options of the README work as it shows them. */
const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

/** Each `$ curl …` of the console blocks, and the lines below it. */
const transcripts = [...readme.matchAll(/```console\n([^]*?)```/g)].flatMap(([, block = '']) =>
  [...block.matchAll(/^\$ (.+)\n((?:[^$].*\n)*)/gm)].map(([, command = '', response = '']) => ({
    command,
    response,
  })),
);

const readmeUrl = 'http://127.0.0.1:4555/studio';

/** The request of `curl -s [-X METHOD] [-H 'NAME: VALUE']… [-d 'BODY'] 'URL'`. */
function readCurl(command: string): { target: string; init: RequestInit } {
  const curlSyntax =
    /^curl -s(?: -X (?<method>\w+))?(?<given>(?: -H '[^']+')*)(?: -d '(?<body>[^']+)')? '(?<target>[^']+)'$/;
  const {
    method,
    given: headerFlags = '',
    body,
    target = '',
  } = curlSyntax.exec(command)?.groups ?? {};
  const headers = [...headerFlags.matchAll(/ -H '([^:]+): ([^']+)'/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  return {
    target,
    init: { method: method ?? (body ? 'POST' : 'GET'), headers, body: body ?? null },
  };
}

/** Removes the duration of the statement, which varies. */
function withoutDurations(response: string): string {
  return response.replace(/"duration_ms":[\d.]+/, '"duration_ms":0');
}

const [commonCode = '', ...mountPrograms] = [...readme.matchAll(/```js\n([^]*?)```/g)].map(
  ([, code = '']) => code,
);

/** A program of the README, with the local import path and port. */
async function startProgram(mountProgram: string) {
  const folder = makeFolder();
  const port = await freePort();
  new BetterSqlite3(join(folder, 'my.db')).exec('PRAGMA user_version = 1').close();
  const code = `const isAdmin = () => true;\n${commonCode}${mountProgram}`
    .replace('3000', String(port))
    .replace("'database-studio'", `'${new URL('../../src/index.ts', import.meta.url).href}'`)
    .replace(
      /from '(express|fastify)'/,
      (_all, name: string) => `from '${import.meta.resolve(name)}'`,
    );
  const file = join(folder, 'program.mjs');
  await writeFile(file, code);
  const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  return { child, text, url: `http://127.0.0.1:${port}/studio/api/config` };
}

/** The output of a program or its first response, whichever comes first. */
async function configOf({ child, text, url }: Awaited<ReturnType<typeof startProgram>>) {
  for (;;) {
    if (text.stdout !== '') return text.stdout;
    if (child.exitCode !== null) throw new Error(`The program ended: ${text.stderr}`);
    const response = await fetch(url).catch(() => undefined);
    if (response !== undefined) return response.text();
    await sleep(50);
  }
}

describe('the README', () => {
  test('shows the responses that the demo sends', async () => {
    const { url } = await serve([]);
    expect(transcripts.length).toBeGreaterThan(4);
    for (const { command, response: expected } of transcripts) {
      const { target, init } = readCurl(command);
      expect(target, command).toContain(readmeUrl);
      const response = await fetch(target.replace(readmeUrl, url), init);
      expect(withoutDurations(`${await response.text()}\n`), command).toBe(
        withoutDurations(expected),
      );
    }
  });

  test.each(mountPrograms)('mounts a studio: %s', async (mountProgram) => {
    expect(await configOf(await startProgram(mountProgram))).toMatch(/read_only"?: ?true/);
  });

  test('has several programs that mount a studio', () => {
    expect(mountPrograms.length).toBeGreaterThan(3);
  });

  test('names only existing options', () => {
    const table = [...readme.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name = '']) => name);
    expect(table.length).toBeGreaterThan(4);
    expect(table.filter((name) => !isOptionName(name))).toEqual([]);
  });
});
