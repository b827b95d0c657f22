/** Texts of the API in the words of the command line, where parameters are flags. */
import { replaceParameters } from '../model/parameter-words.ts';
import { parametersOf } from './commands.ts';
import type { CommandName } from './commands.ts';

/** Replaces the names of the parameters of the command's route by its flags. */
export function inFlagWords(text: string, command: CommandName): string {
  const flags = new Map(
    Object.keys(parametersOf(command)).map((flag) => [flag.replaceAll('-', '_'), flag]),
  );
  return replaceParameters(text, [...flags.keys()], (name, value) => {
    const flag = `--${flags.get(name) ?? name}`;
    return value === undefined ? flag : `${flag}=${value}`;
  });
}
