/** The command `database-studio`. bin/database-studio.js loads it after it has checked the Node version. */
import { StudioError } from '../model/errors.ts';
import type { CommandName } from './commands.ts';
import type { CommandContext } from './context.ts';
import { findEnvFileUrl } from './discovery/env-files.ts';
import { ExitError, failed } from './exit-error.ts';
import { inFlagWords } from './flag-words.ts';
import { helpText } from './help.ts';
import { hideSecrets } from './hide-secrets.ts';
import { limitCompiler } from './limit-compiler.ts';
import { createLogger } from './logger.ts';
import { maskCredentials } from './mask-credentials.ts';
import { misspelledVariables, parseCommandLine } from './parse.ts';
import type { CommandLine, Environment, Invocation } from './parse.ts';
import { printableLines } from './terminal-text.ts';
import { version } from './version.ts';

type Runner = (invocation: Invocation, context: CommandContext) => Promise<void>;

/** Imported lazily, so that --help loads no database driver. */
const runners: Readonly<Record<CommandName, () => Promise<Runner>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  schema: async () => (await import('./schema.ts')).printSchema,
  tables: async () => (await import('./tables.ts')).printTables,
  rows: async () => (await import('./rows.ts')).printRows,
  'export schema': exporting,
  'export data': exporting,
  'export dump': exporting,
  'export table': exporting,
  'export models': exporting,
  'import schema': importing,
  'import data': importing,
  'import dump': importing,
  'import models': importing,
  sql: async () => (await import('./sql.ts')).runSql,
  mcp: async () => (await import('./mcp.ts')).serveAgents,
};

async function exporting(): Promise<Runner> {
  return (await import('./export.ts')).exportFile;
}

async function importing(): Promise<Runner> {
  return (await import('./import.ts')).importFiles;
}

/** Runs the command line and returns the exit status. */
async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const line = parseCommandLine(args, env, () => findEnvFileUrl('.'));
    // Configuration files may name a variable that is hidden next.
    const variables = { ...env };
    hideSecrets(args, env);
    await perform(line, variables);
    return 0;
  } catch (error) {
    return printError(error);
  }
}

async function perform(line: CommandLine, env: Environment): Promise<void> {
  if (line.kind === 'help') process.stdout.write(helpText(line.command));
  else if (line.kind === 'version') process.stdout.write(`${version()}\n`);
  else await run(line, env);
}

async function run(line: CommandLine & { kind: 'run' }, env: Environment): Promise<void> {
  misspelledVariables(env).forEach(note);
  if (line.urlSource) note(`DATABASE_URL is read from ${line.urlSource}.`);
  const url = await openedUrl(line.url, env);
  const log = createLogger(line.values['log-level']);
  const runner = await runners[line.command]();
  try {
    await runner({ ...line, url }, { env, note, log });
  } catch (error) {
    log.debug({ err: error }, 'The command failed.');
    if (!(error instanceof StudioError)) throw error;
    throw failed(inFlagWords(error.message, line.command));
  }
}

/** The URL argument may be a configuration file of another tool, such as prisma/schema.prisma. */
async function openedUrl(url: string | undefined, env: Environment): Promise<string | undefined> {
  if (url === undefined || !/\.(?:prisma|yml|json|[cm]?[jt]s)$/.test(url)) return url;
  const { readConfigUrl } = await import('./discovery/config-files.ts');
  return readConfigUrl(url, env) ?? url;
}

/** Returns the exit status. */
function printError(error: unknown): number {
  if (error instanceof ExitError) {
    note(error.status === 2 ? `${error.message}\nSee database-studio --help.` : error.message);
    return error.status;
  }
  if (error instanceof StudioError) note(error.message);
  else note(`Internal error: ${String(error)}`);
  return 1;
}

function note(sentence: string): void {
  process.stderr.write(`database-studio: ${printableLines(maskCredentials(sentence))}\n`);
}

/** A closed pipe (`database-studio schema my.db | head`) is not an error, a full disk is. */
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  note(`The output cannot be written (${code}).`);
  process.exit(1);
});
process.stderr.on('error', () => {});

limitCompiler();
process.exitCode = await main(process.argv.slice(2), process.env);
