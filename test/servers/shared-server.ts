/**
 * One server for a whole test run. The first test that needs it starts a keeper process, which
 * stops the server after the run has ended in any way.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface SharedServer {
  /** Used in messages and in the name of the directory. */
  readonly name: string;
  /** A module that calls `runKeeper`. */
  readonly keeper: URL;
}

const startLimitMs = 120_000;
const stateFile = 'state.json';

/** The state that the keeper process reports. Starts the keeper if no test has done so. */
export async function useSharedServer<State extends object>({
  name,
  keeper,
}: SharedServer): Promise<State> {
  const owner = process.env['VITEST'] ? process.ppid : process.pid;
  const directory = join(tmpdir(), `database-studio-test-${name}-${owner}`);
  const isFirst = await mkdir(directory).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const args = [fileURLToPath(keeper), directory, String(owner)];
    spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
  }
  return (await awaitState(directory, name)) as State;
}

async function awaitState(directory: string, name: string): Promise<object> {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline) {
    const text = await readFile(join(directory, stateFile), 'utf8').catch(() => '');
    if (text !== '') return readState(text);
    await sleep(50);
  }
  throw new Error(`${name} did not start in time.`);
}

function readState(text: string): object {
  const state = JSON.parse(text) as object;
  if ('reason' in state) throw new Error(String(state.reason));
  return state;
}

export interface RunningServer<State> {
  readonly state: State;
  /** Resolves with the reason if the server ends by itself; later tests fail with that reason. */
  readonly crashed?: Promise<string>;
  remove(): Promise<void>;
}

/**
 * The complete work of a keeper process: `node <keeper> <directory> <pid>` runs a server while that
 * process is alive.
 */
export async function runKeeper<State extends object>(
  start: () => Promise<RunningServer<State>>,
): Promise<void> {
  const [directory = '', owner = ''] = process.argv.slice(2);
  try {
    const server = await start();
    await announce(directory, server.state);
    void server.crashed?.then((reason) => announce(directory, { reason: `crashed: ${reason}` }));
    await waitForEnd(Number(owner));
    await server.remove();
  } catch (error) {
    await announce(directory, { reason: error instanceof Error ? error.message : String(error) });
    await waitForEnd(Number(owner));
  }
  await rm(directory, { recursive: true, force: true });
}

async function announce(directory: string, state: object): Promise<void> {
  const file = join(directory, stateFile);
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}

async function waitForEnd(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(250);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
