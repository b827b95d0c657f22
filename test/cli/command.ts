/** Runs the `database-studio` command as a child process. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { moduleUrl } from '../../src/processes/module-url.ts';

export const mainFile = fileURLToPath(moduleUrl(new URL('../../src/cli/main.ts', import.meta.url)));

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A folder that is removed after the test. Commands of one test share no folder by default. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface CommandOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** The module to run, if it is not the one in src. */
  file?: string;
}

/** Starts the command with a minimal environment. */
export function start(
  args: readonly string[],
  { env = {}, cwd, file = mainFile }: CommandOptions = {},
) {
  const folder = cwd ?? makeFolder();
  const child = spawn(process.execPath, [file, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') describeIfRunning(child.pid, { args, ...output });
    child.kill('SIGKILL');
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  const closed = once(child, 'close');
  const outcome = async (): Promise<Outcome> => {
    const [status] = (await closed) as [number | null];
    return { status, ...output };
  };
  return { child, text: output, outcome };
}

/** Prints what a command that outlives its failed test waits for: its threads, its children and its output. */
function describeIfRunning(pid: number | undefined, command: object): void {
  const format = ['-o', 'pid,ppid,lwp,stat,etimes,wchan:30,comm,args'];
  const { stdout } = spawnSync('ps', ['-eL', ...format], { encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => line.split(/\s+/).includes(String(pid)));
  if (lines.length > 0) console.error('This command still runs:', command, lines.join('\n'));
}

export type Running = ReturnType<typeof start>;

export function run(args: readonly string[], options?: CommandOptions): Promise<Outcome> {
  return start(args, options).outcome();
}

/** The URL that the server printed, without a trailing slash. */
export async function waitForUrl({ child, text, outcome }: Running): Promise<string> {
  const ended = outcome();
  for (;;) {
    const [, url] = /^Studio ready at (\S+)\/\n/.exec(text.stdout) ?? [];
    if (url !== undefined) return url;
    const end = await Promise.race([ended, once(child.stdout, 'data').then(() => undefined)]);
    if (end) throw new Error(`The server ended: ${JSON.stringify(end)}`);
  }
}

export async function serve(args: readonly string[], options?: CommandOptions) {
  const running = start(['--port', '0', ...args], options);
  return { ...running, url: await waitForUrl(running) };
}
