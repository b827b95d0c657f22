/** Pastes that wait for the text of the clipboard. */
const pending = new Set<Promise<void>>();

/** The browser may ask the user before it returns the text, and a save does not wait for that. */
const longestWaitMs = 1000;

export async function trackPaste(paste: Promise<void>): Promise<void> {
  pending.add(paste);
  try {
    await paste;
  } finally {
    pending.delete(paste);
  }
}

export function isPasting(): boolean {
  return pending.size > 0;
}

/** Resolves when what was pasted before is staged. */
export async function finishPastes(): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, longestWaitMs));
  await Promise.race([Promise.allSettled(pending), limit]);
}
