/** Converts a command's flags to query parameters of its route. */
import type { QueryParameter } from '../contract/parameter.ts';
import { parametersOf } from './commands.ts';
import type { CommandName } from './commands.ts';
import { wrongUsage } from './exit-error.ts';
import { maskCredentials } from './mask-credentials.ts';
import type { FlagValues } from './split-arguments.ts';

export type ParameterValues = Readonly<Record<string, unknown>>;

export function readParameters(command: CommandName, flags: FlagValues): ParameterValues {
  const values = Object.entries(parametersOf(command)).map(([flag, parameter]) => [
    flag.replaceAll('-', '_'),
    valueOf(flag, parameter, flags.get(flag)),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ParameterValues;
}

function valueOf(
  flag: string,
  parameter: QueryParameter,
  texts: readonly (string | undefined)[] = [],
): unknown {
  const read = texts.map((text) => readOne(flag, parameter, text ?? 'true'));
  if (parameter.repeated) return read;
  if (read.length > 1) throw wrongUsage(`--${flag} is given more than once.`);
  return read[0] ?? parameter.default;
}

function readOne(flag: string, parameter: QueryParameter, text: string): unknown {
  const { success, data } = parameter.schema.safeParse(text);
  if (success) return data;
  throw wrongUsage(`--${flag} takes ${parameter.expected}, not "${maskCredentials(text)}".`);
}
