/** Rejects pending promises when their connection is lost. Drivers do not reject all of their own promises. */
export interface ConnectionLoss {
  /** Settles as `work` does, and rejects soon after the connection is lost. */
  failOnLoss<T>(work: Promise<T>): Promise<T>;
  /** Called when the driver says that the connection is closed, also several times. */
  markLost(): void;
  isLost(): boolean;
}

export function createConnectionLoss(): ConnectionLoss {
  const waiting = new Set<(error: Error) => void>();
  let isConnectionLost = false;

  const failAll = (): void => {
    for (const fail of waiting) fail(lostError());
    waiting.clear();
  };

  return {
    failOnLoss: <T>(work: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.add(reject);
        // Promise.race with a promise that lives as long as the connection would keep every result in memory until then.
        const settle = (settlePromise: () => void): void => {
          waiting.delete(reject);
          settlePromise();
        };
        work.then(
          (result) => settle(() => resolve(result)),
          (error: Error) => settle(() => reject(error)),
        );
        if (isConnectionLost) setImmediate(failAll);
      }),
    markLost: () => {
      if (isConnectionLost) return;
      isConnectionLost = true;
      // A turn later, so that the driver's own error comes first: it has the reason.
      setImmediate(failAll);
    },
    isLost: () => isConnectionLost,
  };
}

function lostError(): Error {
  return Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' });
}

const closeTimeoutMs = 1000;

/** Closes the connection gracefully, or at once when the server does not respond in time. */
export async function closeWithTimeout(
  end: () => Promise<void>,
  destroy: () => void,
): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    destroy();
    resolve();
  }, closeTimeoutMs);
  try {
    await Promise.race([end(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
