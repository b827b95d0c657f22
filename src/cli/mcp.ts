/** `database-studio mcp URL`: serves agents over stdin and stdout, or over HTTP with `--http`. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createApp, createEndpoint } from '../http/app.ts';
import { listen } from '../http/node.ts';
import { createMasks } from '../mcp/masks.ts';
import { createAgentServers } from '../mcp/server.ts';
import { readStructure } from '../mcp/structure.ts';
import { createStudioApi } from '../mcp/studio-api.ts';
import { createStudio } from '../studio/studio.ts';
import { appOptions, checkAccess, checkProxies, noAuthWarning } from './access.ts';
import { failed } from './exit-error.ts';
import { untilSignalled } from './signals.ts';
import { version } from './version.ts';
import type { Studio, StudioOptions } from '../studio/studio.ts';
import type { AgentAccess } from '../mcp/server.ts';
import type { StudioApi } from '../mcp/studio-api.ts';
import type { CommandContext } from './context.ts';
import type { OptionValues } from './options.ts';
import type { Invocation } from './parse.ts';

type AgentServers = ReturnType<typeof createAgentServers>;

/** Serves until a signal arrives or, without `--http`, stdin ends. */
export async function serveAgents(
  { url = '', values }: Invocation,
  context: CommandContext,
): Promise<void> {
  if (values.http) {
    checkAccess(values);
    checkProxies(values);
    if (values['no-auth']) context.note(noAuthWarning);
  }
  const studios = await openStudios(url, values);
  try {
    const access = agentAccess(studios, values);
    await checkMasks(access, context);
    const servers = createAgentServers(access);
    await (values.http
      ? serveHttp(servers, values, context)
      : serveStandardStreams(servers, context));
  } finally {
    await Promise.all(Object.values(studios).map(async (studio) => studio?.close()));
  }
}

interface Studios {
  readonly reader: Studio;
  readonly writer: Studio | undefined;
}

/** Reading goes through a studio of its own that cannot write, also where changes are allowed. */
async function openStudios(url: string, values: OptionValues): Promise<Studios> {
  const options: StudioOptions = {
    url,
    mapFiles: !values['no-mmap'],
    statementTimeoutMs: values['statement-timeout'],
  };
  const reader = await createStudio({ ...options, readOnly: true });
  if (!values['allow-writes']) return { reader, writer: undefined };
  try {
    return { reader, writer: await createStudio({ ...options, disableSql: true }) };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function agentAccess({ reader, writer }: Studios, values: OptionValues): AgentAccess {
  return {
    reader: apiOf(reader),
    writer: writer === undefined ? undefined : apiOf(writer),
    masks: createMasks(values.mask),
    version: version(),
  };
}

/** Rejects misspelled masks, which would show the column that they should hide. A mask with a `*` may be for other databases. */
async function checkMasks({ reader, masks }: AgentAccess, { note }: CommandContext): Promise<void> {
  if (masks.isEmpty) return;
  const unmatched = masks.unmatched((await readStructure(reader)).tables);
  const misspelled = unmatched.find((pattern) => !pattern.includes('*'));
  if (misspelled !== undefined)
    throw failed(
      `--mask ${misspelled}: there is no such column. Name it as TABLE.COLUMN with the names that "tables" prints, or as COLUMN of every table.`,
    );
  for (const pattern of unmatched) note(`--mask ${pattern} matches no column.`);
}

function apiOf(studio: Studio): StudioApi {
  const app = createApp(studio);
  return createStudioApi(
    (request) => app.fetch(request),
    `http://localhost${studio.config.prefix}/api`,
  );
}

/** stdout belongs to the protocol. */
async function serveStandardStreams(servers: AgentServers, { log }: CommandContext): Promise<void> {
  const ended = once(process.stdin, 'close');
  const connection = serveStdio(servers, {
    onerror: (error) => log.error({ err: error }, 'A message of the client failed.'),
  });
  await Promise.race([ended, untilSignalled()]);
  await connection.close();
}

const path = '/mcp';

async function serveHttp(
  servers: AgentServers,
  values: OptionValues,
  { log, note }: CommandContext,
): Promise<void> {
  const handler = createMcpHandler(servers, {
    onerror: (error) => log.error({ err: error }, 'A request of an agent failed.'),
  });
  const app = createEndpoint(path, (request) => handler.fetch(request), appOptions(values, log));
  const server = await listen({ app, host: values.host, port: values.port });
  note(`Agents connect to ${server.address}${path}`);
  await untilSignalled();
  await handler.close();
  await server.close(sleep(values['shutdown-timeout'], undefined, { ref: false }));
}
