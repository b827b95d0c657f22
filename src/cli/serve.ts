import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../http/app.ts';
import type { App } from '../http/app.ts';
import { listen } from '../http/node.ts';
import type { HttpServer } from '../http/node.ts';
import { findFonts } from '../studio/export/find-fonts.ts';
import { readModelSources } from '../studio/core/models.ts';
import { createStudio } from '../studio/studio.ts';
import type { Studio, StudioOptions } from '../studio/studio.ts';
import { appOptions, checkAccess, checkProxies, checkSessionSecret } from './access.ts';
import { noAuthWarning } from './access.ts';
import type { CommandContext } from './context.ts';
import { withCreateHint } from './create-hint.ts';
import { ensureDemo } from './demo-file.ts';
import { failed } from './exit-error.ts';
import { openBrowser } from './open-browser.ts';
import type { OptionValues } from './options.ts';
import type { Environment, Invocation } from './parse.ts';
import { untilSignalled } from './signals.ts';
import { defaultStateDir, prepareStateDir } from './state-dir.ts';
import { waitForDatabase } from './wait-for-database.ts';

/** Serves until a signal arrives. Prints a single line to stdout, when it starts to listen. */
export async function serve(invocation: Invocation, context: CommandContext): Promise<void> {
  const { values } = invocation;
  checkAccess(values);
  checkProxies(values);
  checkSessionSecret(values);
  if (values['no-auth']) context.note(noAuthWarning);
  const url = invocation.url ?? (await findUrl(context));
  const stateDir = await findStateDir(url, values, context.env);
  const openedUrl = url ?? (await demoUrl(stateDir));
  const studio = await waitForDatabase(
    () => open(openedUrl, values, { stateDir, onRecovery: context.note }),
    { limitMs: values['wait-for-database'], note: context.note },
  );
  try {
    const app = createApp(studio, { ...appOptions(values, context.log), stateDir });
    await serveApp(app, values, context.note);
  } finally {
    await studio.close();
  }
}

/** Finds the database of the working folder. Undefined: the demo is served. */
async function findUrl({ note }: CommandContext): Promise<string | undefined> {
  const { findDatabase } = await import('./discovery/find-database.ts');
  const file = findDatabase('.');
  note(
    file === undefined
      ? 'No database was named, and this folder has none: the demo database is served.'
      : `${JSON.stringify(file)} is opened, the only database in this folder.`,
  );
  return file;
}

/** The default folder is created only on demand. The demo needs it immediately. */
async function findStateDir(
  url: string | undefined,
  values: OptionValues,
  env: Environment,
): Promise<string> {
  const requestedFolder = values['state-dir'];
  if (url !== undefined && requestedFolder === undefined)
    return defaultStateDir(process.platform, env);
  return prepareStateDir(requestedFolder, env);
}

/** Imported lazily: only the demo needs the code that builds it. */
async function demoUrl(stateDir: string): Promise<string> {
  const { buildDemoFile } = await import('../demo/build.ts');
  const { demoVersion } = await import('../demo/schema.ts');
  return ensureDemo(stateDir, { version: demoVersion, build: buildDemoFile });
}

async function open(
  url: string,
  values: OptionValues,
  options: Partial<StudioOptions>,
): Promise<Studio> {
  const models = await readModelSources(values.models);
  const studio = createStudio({
    url,
    readOnly: values['read-only'],
    disableSql: values['disable-sql'],
    allowDdl: values['allow-ddl'],
    prefix: values.prefix,
    create: values.create,
    mapFiles: !values['no-mmap'],
    statementTimeoutMs: values['statement-timeout'],
    readYourWrites: values['read-your-writes'],
    ...(values['read-url'] === undefined ? {} : { readUrl: values['read-url'] }),
    maxUploadBytes: values['max-upload'],
    models,
    fonts: findFonts(values.font),
    ...options,
  });
  return studio.catch((error: unknown) => {
    throw withCreateHint(error);
  });
}

async function serveApp(
  app: App,
  values: OptionValues,
  note: CommandContext['note'],
): Promise<void> {
  const { host, port } = values;
  const server = await listen({ app, host, port }).catch((error: unknown) => {
    throw cannotListen(error, values);
  });
  const stopped = untilSignalled();
  announce(server, values, note);
  await stopped;
  app.drain();
  await sleep(values['shutdown-delay']);
  const graceMs = values['shutdown-timeout'];
  setTimeout(() => terminate(note), graceMs + terminateAfterMs).unref();
  const graceEnd = stopAfter(app, graceMs);
  await Promise.all([server.close(graceEnd), Promise.race([app.settled(), graceEnd])]);
}

/**
 * Cancels the requests that still run after `graceMs`, and resolves when their clients have got the error. The timers
 * must not delay the end of the process.
 */
async function stopAfter(app: App, graceMs: number): Promise<void> {
  await sleep(graceMs, undefined, { ref: false });
  app.stop();
  await Promise.race([app.settled(), sleep(cancelLimitMs, undefined, { ref: false })]);
  await sleep(sendMs, undefined, { ref: false });
}

/** Longer than a database may take to cancel a statement and to roll back. */
const cancelLimitMs = 10_000;
/** In which short responses are sent. */
const sendMs = 250;
/** Longer than all timeouts of operations that wait for the database. */
const terminateAfterMs = 20_000;

function terminate(note: CommandContext['note']): never {
  note('The studio did not shut down in time and is terminated.');
  process.exit(1);
}

function announce(server: HttpServer, values: OptionValues, note: CommandContext['note']): void {
  const url = `${server.address}${values.prefix.replace(/\/$/, '')}/`;
  process.stdout.write(`Studio ready at ${url}\n`);
  if (values.open) openBrowser(url, note);
}

/** The end of the error message "Port … of …" for each error code. */
const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. --port 0 picks a free one.',
  EACCES: 'is not permitted for this user. Try a port above 1023.',
};

function cannotListen(error: unknown, { host, port }: OptionValues): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = listenFailures[code];
  if (reason) return failed(`Port ${port} of ${host} ${reason}`);
  return code ? failed(`${host} is not an address of this machine (${code}).`) : error;
}
