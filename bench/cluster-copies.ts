/** Copies of a studio in processes of their own, each behind a link that can be cut. */
import { spawn } from 'node:child_process';
import { freePort } from '../test/servers/free-port.ts';
import { openLink } from './cluster-balancer.ts';
import type { ChildProcess } from 'node:child_process';
import type { Link } from './cluster-balancer.ts';

export interface Copy {
  readonly number: number;
  readonly port: number;
  readonly link: Link;
  process: ChildProcess;
}

export interface CopyOptions {
  /** The path of `bin/database-studio.js`. */
  readonly program: string;
  /** Of the command, beyond the port. */
  readonly argsOf: (number: number) => readonly string[];
}

/** Not started: the configuration of the balancer needs the ports first. */
export async function openCopies(program: string): Promise<readonly Copy[]> {
  const copies: Copy[] = [];
  for (let number = 0; number < 3; number += 1) {
    const port = await freePort();
    const link = await openLink(() => port);
    const process = spawn(globalThis.process.execPath, [program, '--version']);
    copies.push({ number, port, link, process });
  }
  return copies;
}

export function endCopies(copies: readonly Copy[]): void {
  for (const { process, link } of copies) {
    process.kill('SIGKILL');
    link.close();
  }
}

export async function startCopy(
  { program, argsOf }: CopyOptions,
  { number, port }: Pick<Copy, 'number' | 'port'>,
): Promise<ChildProcess> {
  const args = [program, ...argsOf(number), '--port', String(port), '--log-level', 'silent'];
  args.push('--wait-for-database', '60s');
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const started = Promise.withResolvers<ChildProcess>();
  // Reads to the end: the copy would end if nobody read its output.
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (chunk.includes('http://')) started.resolve(child);
  });
  child.once('exit', () => started.reject(new Error('A copy did not start.')));
  return started.promise;
}
