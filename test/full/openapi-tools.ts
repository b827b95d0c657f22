/** Generators and linters for OpenAPI documents, installed from their registries in exact versions. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goEnvironment } from '../gorm/go-environment.ts';

const execute = promisify(execFile);

export const versions = {
  oapiCodegen: '2.8.2',
  oapiCodegenRuntime: '1.9.0',
  openapiFetch: '0.17.0',
  openapiGenerator: '7.25.0',
  openapiPythonClient: '0.29.1',
  openapiTypescript: '7.13.0',
  redocly: '2.77.0',
  spectral: '6.16.3',
} as const;

export interface WorkingFolder {
  readonly cwd: string;
}

/** Runs a program to its end. The error of one that fails has what it printed. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd }: WorkingFolder,
): Promise<string> {
  const env = { ...goEnvironment, NO_COLOR: '1', CI: 'true' };
  try {
    const { stdout } = await execute(program, args, { cwd, env, maxBuffer: 2 ** 28 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Partial<Record<string, string>>;
    const end = `${stdout}\n${stderr}`.trim().slice(-4000);
    throw new Error(`${program} ${args[0] ?? ''} failed: ${end || message}`, { cause: error });
  }
}

/** Packages of npm in a folder of their own. */
export async function installNpm(cwd: string, packages: readonly string[]): Promise<void> {
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  await run('npm', ['install', ...flags, ...packages], { cwd });
}

/** A virtual environment with one package. Returns the folder of its programs. */
export async function installPython(cwd: string, requirement: string): Promise<string> {
  mkdirSync(cwd, { recursive: true });
  await run('python3', ['-m', 'venv', 'venv'], { cwd });
  const programs = join(cwd, 'venv', 'bin');
  const flags = ['--quiet', '--disable-pip-version-check'];
  await run(join(programs, 'pip'), ['install', ...flags, requirement], { cwd });
  return programs;
}

/** The archive of a Java program. Returns its path. */
export async function installJava(cwd: string, group: string, name: string): Promise<string> {
  mkdirSync(cwd, { recursive: true });
  await run('java', ['-version'], { cwd });
  const version = versions.openapiGenerator;
  const copy = [`-Dartifact=${group}:${name}:${version}`, `-DoutputDirectory=${cwd}`];
  await run('mvn', ['--batch-mode', '--quiet', 'dependency:copy', ...copy], { cwd });
  return join(cwd, `${name}-${version}.jar`);
}
