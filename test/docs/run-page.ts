/** Runs the examples of a page in a folder, as a reader would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { escapePattern, isRunnable, matchesOutput, readSteps } from './page-blocks.ts';
import type { ChildProcess } from 'node:child_process';
import type { Block } from './page-blocks.ts';

const root = join(import.meta.dirname, '..', '..');

/** Packages that programs of the pages import, beside the studio itself. */
const packages = ['express', 'fastify', 'hono', '@hono/node-server', 'better-sqlite3'];

/** What stands in the pages, and what is used here instead. */
export type Replacements = ReadonlyMap<string, string>;

/** A folder in which the studio is installed. */
export function installInto(folder: string): void {
  link(root, join(folder, 'node_modules', 'database-studio'));
  for (const name of packages)
    link(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const command = join(root, 'bin', 'database-studio.js');
  const run = `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(command)} "$@"`;
  writeScript(join(folder, '.bin', 'database-studio'), run);
  const onlyStudio = '[ "$1" = database-studio ] || { echo "npx $1 is not run" >&2; exit 1; }';
  writeScript(join(folder, '.bin', 'npx'), `${onlyStudio}; shift; ${run}`);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
}

function writeScript(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

export class PageRunner {
  readonly #folder: string;
  readonly #replacements: Replacements;
  #server: ChildProcess | undefined;
  /** The output of the last program, for a block that shows it. */
  #output = '';

  constructor(folder: string, replacements: Replacements) {
    this.#folder = folder;
    this.#replacements = replacements;
    onTestFinished(() => this.stop());
  }

  async run(block: Block): Promise<void> {
    const { language, name } = block;
    if (!isRunnable(block)) {
      if (name !== '') writeFileSync(join(this.#folder, name), this.#localized(block.text));
    } else if (language === 'console') await this.#runSteps(block);
    else if (language === 'ts' || language === 'js') await this.#runProgram(block);
    else if (name === 'server') await this.#serve(block);
    else await this.#runScript(block);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGINT');
    await ended;
  }

  /** The text of a page with the servers and ports of this test. */
  #localized(text: string): string {
    return replaceEach(text, this.#replacements);
  }

  #asShown(output: string): string {
    const originals = [...this.#replacements].map(
      ([shown, usedText]) => [usedText, shown] as const,
    );
    return replaceEach(output, new Map(originals));
  }

  async #runScript({ text, line }: Block): Promise<void> {
    const { status, output } = await this.#finish(this.#bash(text));
    expect(status, `line ${line}: ${output}`).toBe(0);
    this.#output = output;
  }

  async #runSteps(block: Block): Promise<void> {
    for (const { command, output: shown } of readSteps(block)) {
      const output =
        command === '' ? this.#output : (await this.#finish(this.#bash(command))).output;
      const message = `line ${block.line}, ${command || 'the program'}: ${output}`;
      expect(matchesOutput(shown, output), message).toBe(true);
    }
  }

  /** A program with a name is only written: the page says how to run it. */
  async #runProgram({ name, text, line, language }: Block): Promise<void> {
    const file = name || `line-${line}.${language === 'ts' ? 'mts' : 'mjs'}`;
    writeFileSync(join(this.#folder, file), this.#localized(text));
    if (name !== '') return;
    const { status, output } = await this.#finish(this.#bash(`node ${file}`));
    expect(status, `line ${line}: ${output}`).toBe(0);
    this.#output = output;
  }

  /** The server replaces the one before, as on the same port. */
  async #serve({ text, line }: Block): Promise<void> {
    await this.stop();
    const server = this.#bash(text);
    this.#server = server;
    const outcome = this.#finish(server).then(({ output }) => output);
    const ports = [...this.#replacements.values()].filter((value) => /^\d+$/.test(value));
    for (;;) {
      const ended = await Promise.race([outcome, sleep(50)]);
      if (ended !== undefined) throw new Error(`line ${line}: the server ended: ${ended}`);
      const responses = await Promise.all(ports.map(isListening));
      if (responses.includes(true)) return;
    }
  }

  #bash(script: string): ChildProcess {
    const path = [join(this.#folder, '.bin'), dirname(process.execPath), process.env['PATH']];
    return spawn('bash', ['-euo', 'pipefail', '-c', this.#localized(script)], {
      cwd: this.#folder,
      detached: true,
      env: {
        PATH: path.join(delimiter),
        HOME: this.#folder,
        XDG_STATE_HOME: this.#folder,
        STUDIO_PORT: this.#localized('4555'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async #finish(child: ChildProcess): Promise<{ status: number | null; output: string }> {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, output: this.#asShown(output) };
  }
}

/** In one pass: the port that replaces one can contain the digits of another. */
function replaceEach(text: string, replacements: ReadonlyMap<string, string>): string {
  if (replacements.size === 0) return text;
  const pattern = [...replacements.keys()].map(escapePattern).join('|');
  return text.replaceAll(new RegExp(pattern, 'g'), (key) => replacements.get(key)!);
}

async function isListening(port: string): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined;
}
