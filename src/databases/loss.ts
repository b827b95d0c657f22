/** The loss of a connection. Drivers do not tell it to everything that waits for the server. */
export interface Loss {
  /** Settles as the work does; fails soon after the connection is lost. */
  during<T>(work: Promise<T>): Promise<T>;
  happen(): void;
  hasHappened(): boolean;
}

export function createLoss(): Loss {
  const waiting = new Set<(error: Error) => void>();
  let happened = false;

  const failAll = (): void => {
    for (const fail of waiting) fail(lostError());
    waiting.clear();
  };

  return {
    during: <T>(work: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.add(reject);
        // A race with one promise for the life of the connection would keep each result as long.
        const settle = (tell: () => void): void => {
          waiting.delete(reject);
          tell();
        };
        work.then(
          (result) => settle(() => resolve(result)),
          (error: Error) => settle(() => reject(error)),
        );
        if (happened) setImmediate(failAll);
      }),
    happen: () => {
      if (happened) return;
      happened = true;
      // The driver comes first: it may know why.
      setImmediate(failAll);
    },
    hasHappened: () => happened,
  };
}

function lostError(): Error {
  return Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' });
}

const goodbyeMs = 1000;

/** Says goodbye to the server, and closes the connection without it when that takes long. */
export async function closeWithin(end: () => Promise<void>, destroy: () => void): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    destroy();
    resolve();
  }, goodbyeMs);
  try {
    await Promise.race([end(), late]);
  } finally {
    clearTimeout(timer);
  }
}
