import type { RunOptions, Session } from '../model/database.ts';

/** The same session with default limits for its statements. Options of a statement override them. */
export function withDefaultLimits<S extends Session>(session: S, bounds: RunOptions): S {
  const bounded: Session = {
    run: (query, options) => session.run(query, { ...bounds, ...options }),
    stream: (query, options) => session.stream(query, { ...bounds, ...options }),
    ...(session.runAll && {
      runAll: (texts, options) => session.runAll!(texts, { ...bounds, ...options }),
    }),
  };
  return { ...session, ...bounded };
}

/** Limits of catalog queries that the studio runs while a request waits. */
export const catalogLimits: RunOptions = { limitMs: 10_000 };
