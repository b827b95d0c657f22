import type { RunOptions, Session } from '../model/database.ts';

/** The same session with these default limits for its statements. A statement's own options win. */
export function boundedSession<S extends Session>(session: S, bounds: RunOptions): S {
  const bounded: Session = {
    run: (query, options) => session.run(query, { ...bounds, ...options }),
    stream: (query, options) => session.stream(query, { ...bounds, ...options }),
  };
  return { ...session, ...bounded };
}

/** For what the studio itself asks the catalog while a request waits for it. */
export const questionBounds: RunOptions = { limitMs: 10_000 };
