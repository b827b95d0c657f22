/** A client of the Model Context Protocol, connected to the real command. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { mainFile, makeFolder } from '../cli/command.ts';

export interface Agent {
  readonly client: Client;
  /** Calls a tool and returns its text. Fails if the result is an error. */
  call(tool: string, input?: object): Promise<string>;
  /** The text of the error that a tool returns. */
  callFailing(tool: string, input?: object): Promise<string>;
  /** The rows of a result. */
  rows(tool: string, input?: object): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Starts `database-studio mcp` with these arguments. */
export async function startAgent(args: readonly string[]): Promise<Agent> {
  const folder = makeFolder();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mainFile, 'mcp', ...args],
    env: { HOME: folder, XDG_STATE_HOME: folder },
    cwd: folder,
  });
  return connect(transport);
}

/** Connects over HTTP. */
export function connectAgent(url: string, headers: Record<string, string> = {}): Promise<Agent> {
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
}

async function connect(transport: Parameters<Client['connect']>[0]): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const send = async (name: string, input: object = {}) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const [first] = result.content;
    const text = first?.type === 'text' ? first.text : '';
    return { text, isError: result.isError === true };
  };
  const call: Agent['call'] = async (tool, input) => {
    const { text, isError } = await send(tool, input);
    if (isError) throw new Error(text);
    return text;
  };
  return {
    client,
    call,
    callFailing: async (tool, input) => {
      const { text, isError } = await send(tool, input);
      if (!isError) throw new Error(`The tool did not fail: ${text}`);
      return text;
    },
    rows: async (tool, input) =>
      (JSON.parse(await call(tool, input)) as { rows: Readonly<Record<string, unknown>>[] }).rows,
  };
}
