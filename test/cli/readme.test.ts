import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { isOptionName, availableOptions } from '../../src/cli/options.ts';
import { serve } from './command.ts';

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

/** Each `$ curl …` of the console blocks, and the lines below it. */
const transcripts = [...readme.matchAll(/```console\n([^]*?)```/g)].flatMap(([, block = '']) =>
  [...block.matchAll(/^\$ (.+)\n((?:[^$].*\n)*)/gm)].map(([, command = '', answer = '']) => ({
    command,
    answer,
  })),
);

const served = 'http://127.0.0.1:4555/studio';

/** The request of `curl -s [-X METHOD] [-H 'NAME: VALUE'] [-d 'BODY'] 'URL'`. */
function readCurl(command: string): { target: string; init: RequestInit } {
  const form =
    /^curl -s(?: -X (?<method>\w+))?(?: -H '(?<header>[^']+)')?(?: -d '(?<body>[^']+)')? '(?<target>[^']+)'$/;
  const { method, header, body, target = '' } = form.exec(command)?.groups ?? {};
  const headers = header ? [header.split(': ') as [string, string]] : [];
  return {
    target,
    init: { method: method ?? (body ? 'POST' : 'GET'), headers, body: body ?? null },
  };
}

describe('the README', () => {
  test('shows what the demo answers', async () => {
    const { url } = await serve([]);
    expect(transcripts.length).toBeGreaterThan(4);
    for (const { command, answer } of transcripts) {
      const { target, init } = readCurl(command);
      expect(target, command).toContain(served);
      const response = await fetch(target.replace(served, url), init);
      expect(`${await response.text()}\n`, command).toBe(answer);
    }
  });

  test('names only options that there are', () => {
    const table = [...readme.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name = '']) => name);
    expect(table.length).toBeGreaterThan(4);
    expect(table.filter((name) => !isOptionName(name) || !availableOptions.includes(name))).toEqual(
      [],
    );
  });
});
