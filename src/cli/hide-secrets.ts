/** Hides secrets of the command line and the environment after they are parsed. */
import { maskCredentials } from './mask-credentials.ts';
import { optionNames, optionOf, urlVariable, variableOf } from './options.ts';

const secretOptions = optionNames.filter((name) => optionOf(name).secret === true);
const secretFlags = secretOptions.map((name) => `--${name}`);

/** Keeps secrets out of the environment of child processes and out of process listings. */
export function hideSecrets(args: readonly string[], env: NodeJS.ProcessEnv): void {
  for (const variable of [urlVariable, ...secretOptions.map(variableOf)])
    if (variable !== undefined) delete env[variable];
  const masked = maskArguments(args);
  if (masked.some((text, i) => text !== args[i]))
    process.title = ['database-studio', ...masked].join(' ');
}

export function maskArguments(args: readonly string[]): readonly string[] {
  return args.map((text, i) => {
    if (secretFlags.includes(args[i - 1] ?? '')) return '***';
    const flag = secretFlags.find((name) => text.startsWith(`${name}=`));
    return flag === undefined ? maskCredentials(text) : `${flag}=***`;
  });
}
