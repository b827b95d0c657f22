/** A state with its earlier states (undo) and its undone states (redo). */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

const maxPastLength = 200;

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

export function addState<T>(history: History<T>, next: T): History<T> {
  const { past, present } = history;
  if (next === present) return history;
  return { past: [...past, present].slice(-maxPastLength), present: next, future: [] };
}

/** Replaces the present state without a new undo step. */
export function replacePresent<T>(history: History<T>, next: T): History<T> {
  return next === history.present ? history : { ...history, present: next, future: [] };
}

export function undo<T>({ past, present, future }: History<T>): History<T> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future };
  return { past: past.slice(0, -1), present: before, future: [present, ...future] };
}

export function redo<T>({ past, present, future }: History<T>): History<T> {
  const [after, ...rest] = future;
  if (after === undefined) return { past, present, future };
  return { past: [...past, present], present: after, future: rest };
}
