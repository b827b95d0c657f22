/** The commands, as data. What runs each of them is in main.ts. */
export interface Command {
  /** Whether the database's URL must be given: as an argument or by DATABASE_URL. */
  readonly url: 'optional' | 'required';
  readonly summary: string;
}

export const commandTable = {
  serve: {
    url: 'optional',
    summary: 'Serve the studio and its HTTP API. The default; without a URL, a demo database.',
  },
  schema: {
    url: 'required',
    summary: 'Print the structure of the database as JSON, as GET /studio/api/schema answers it.',
  },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commandTable;

export const commandNames = Object.keys(commandTable) as readonly CommandName[];

export const defaultCommand: CommandName = 'serve';

export function isCommandName(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commandTable, word);
}

/** `serve [URL]`, `schema URL`: how a command is written. */
export function commandSyntax(name: CommandName): string {
  return commandTable[name].url === 'required' ? `${name} URL` : `${name} [URL]`;
}
