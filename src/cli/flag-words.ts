/** Texts of the API in the words of the command line, where parameters are flags. */
import { parametersOf } from './commands.ts';
import type { CommandName } from './commands.ts';

/**
 * Replaces the names of the parameters of the command's route: `on_conflict` in backticks, `the parameter
 * "table"`, the name after "set", and names with an underscore anywhere.
 */
export function inFlagWords(text: string, command: CommandName): string {
  return Object.keys(parametersOf(command)).reduce((words, flag) => {
    const name = flag.replaceAll('-', '_');
    const plain = name.includes('_') ? `|\\b${name}\\b` : '';
    const pattern = new RegExp(
      `\`${name}\`|\\bthe parameter "${name}"|(?<=\\b[Ss]et )${name}\\b${plain}`,
      'g',
    );
    return words.replaceAll(pattern, `--${flag}`);
  }, text);
}
