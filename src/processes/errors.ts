/** Errors of child processes, and the serialization of errors that a child throws. */

/** A thrown value as plain JSON. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly stack?: string;
}

/** The code that a host (`host.ts`) runs in a child process threw. */
export class HostError extends Error {
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The original error with its name and stack. */
  readonly thrown: ThrownError;

  constructor(thrown: ThrownError) {
    super(thrown.message);
    this.name = 'HostError';
    this.code = thrown.code;
    this.details = thrown.details;
    this.thrown = thrown;
  }
}

/** A call or job exceeded its time limit and its child was killed. */
export class HostTimeoutError extends Error {
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`Ended after its time limit of ${limitMs} ms.`);
    this.name = 'HostTimeoutError';
    this.limitMs = limitMs;
  }
}

/** How a child process exited. */
export interface ChildExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly outOfMemory: boolean;
  /** The process was killed but still exists: the kernel ends it only when its disk responds. */
  readonly isStuck?: boolean;
  /** Set if the process could not be started. */
  readonly spawnError?: unknown;
}

/** The child exited unexpectedly or could not be started. */
export class HostCrashError extends Error {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly outOfMemory: boolean;

  constructor(exit: ChildExit, name = 'child process') {
    const { exitCode, signal, outOfMemory, spawnError } = exit;
    super(
      `The ${name} ${describeExit(exit)}.`,
      spawnError === undefined ? {} : { cause: spawnError },
    );
    this.name = 'HostCrashError';
    this.exitCode = exitCode;
    this.signal = signal;
    this.outOfMemory = outOfMemory;
  }
}

/**
 * The child was killed but still exists, because it waits for a disk that does not respond.
 * `hasStarted` is whether it had begun the call.
 */
export class HostStuckError extends Error {
  readonly hasStarted: boolean;

  constructor(hasStarted: boolean) {
    super('The child process was killed but has not ended: it waits for a disk.');
    this.name = 'HostStuckError';
    this.hasStarted = hasStarted;
  }
}

/** A call or job came after the end of its host, or still ran at that time. */
export class HostClosedError extends Error {
  constructor() {
    super('The child process is closed.');
    this.name = 'HostClosedError';
  }
}

function describeExit({ exitCode, signal, outOfMemory, spawnError }: ChildExit): string {
  if (spawnError !== undefined) return 'could not be started';
  if (outOfMemory) return 'ran out of memory';
  return signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
}

export function describeThrown(thrown: unknown): ThrownError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) };
  const { code, details } = thrown as { code?: unknown; details?: unknown };
  return {
    name: thrown.name,
    message: thrown.message,
    ...(typeof code === 'string' && { code }),
    ...plainDetails(details),
    ...(thrown.stack !== undefined && { stack: thrown.stack }),
  };
}

/** Converts details to plain JSON. Bigints become strings; circular structures are dropped. */
function plainDetails(details: unknown): Pick<ThrownError, 'details'> {
  if (typeof details !== 'object' || details === null) return {};
  try {
    const text = JSON.stringify(details, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    return { details: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return {};
  }
}
