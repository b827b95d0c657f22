/** The log of the process: JSON lines on stderr, with credentials masked. */
import { pino } from 'pino';
import type { Logger } from 'pino';

import { maskCredentials } from './mask-credentials.ts';

const secretHeaders = ['authorization', 'cookie', 'set-cookie'];

export function createLogger(level: string, write: (line: string) => void = writeError): Logger {
  const showsStack = level === 'debug' || level === 'trace';
  const paths = secretHeaders.flatMap((name) => [
    `["${name}"]`,
    `headers["${name}"]`,
    `*.headers["${name}"]`,
  ]);
  const options = {
    level,
    redact: paths,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => describeError(error, showsStack) },
  };
  return pino(options, { write: (line: string) => write(maskCredentials(line)) });
}

/** Driver errors may contain statements and values, so only these fields are logged. */
function describeError(error: unknown, showsStack: boolean): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack } = error;
  const { code } = error as NodeJS.ErrnoException;
  return { name, code, message, ...(showsStack && { stack }) };
}

function writeError(line: string): void {
  process.stderr.write(line);
}
