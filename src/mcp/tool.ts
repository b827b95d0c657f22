/** What every tool of the MCP server has in common. */
import { z } from 'zod';
import type { MaskPatterns } from './masks.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { StudioApi } from './studio-api.ts';

export interface ToolContext {
  /** Of a studio that cannot write: the database itself keeps its transactions read-only. */
  readonly reader: StudioApi;
  readonly masks: MaskPatterns;
}

/** An integer beyond 2^53 has lost digits when it arrives: it would be another value. */
export const exactNumber = z
  .number()
  .refine(
    (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
    'An integer beyond 9007199254740991 loses digits as a JSON number: send it as a string.',
  );

export interface WriteToolContext extends ToolContext {
  readonly writer: StudioApi;
  readonly pending: PendingChanges;
}

export interface Tool<Context> {
  readonly name: string;
  readonly title: string;
  /** For the language model: what the tool returns and when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether a call can change the database. */
  readonly writes: boolean;
  /** Returns the text of the result. An `ApiError` becomes the text of a failed result. */
  readonly run: (context: Context, input: never) => Promise<string>;
}

/** Checks that `run` takes what `input` accepts. */
export function defineTool<Context, Input extends z.ZodObject>(
  tool: Omit<Tool<Context>, 'run' | 'input'> & {
    readonly input: Input;
    readonly run: (context: Context, input: z.output<Input>) => Promise<string>;
  },
): Tool<Context> {
  return tool;
}
