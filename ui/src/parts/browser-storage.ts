/** Browser storage. If it is blocked or full, values exist only until the page is closed. */
export interface BrowserStorage {
  readonly read: (key: string) => string | null;
  /** Null removes the value. Returns whether the browser has stored it. */
  readonly write: (key: string, value: string | null) => boolean;
}

/** Persists after the browser is closed. */
export const localStore = storageOf(() => localStorage);
/** Persists until the tab is closed. */
export const tabStore = storageOf(() => sessionStorage);

/** Even access to the property of a blocked storage throws. */
function storageOf(open: () => Storage): BrowserStorage {
  return {
    read: (key) => {
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    write: (key, value) => {
      try {
        if (value === null) open().removeItem(key);
        else open().setItem(key, value);
        return true;
      } catch {
        // All stored values are optional.
        return false;
      }
    },
  };
}
