/** Texts of controls that several pages share. */
export const partsTexts = {
  copied: 'Copied',
  clipboardForbidden: 'The browser does not allow access to the clipboard.',
  tryAgain: 'Try again',
  noResponse: 'The studio server does not respond. Is it still running?',
  noDatabaseResponse:
    'The database does not respond. This continues as soon as it does, or ends with an error.',
  messages: 'Messages',
  dismiss: 'Dismiss',
  rate: ({ rows }: { readonly rows: string }) => `${rows} rows/s`,
  remainingTime: ({ time }: { readonly time: string }) => `about ${time} left`,
  seconds: ({ seconds }: { readonly seconds: number }) => `${seconds} s`,
  minutes: ({ minutes }: { readonly minutes: number }) => `${minutes} min`,
  waitingForOne: 'Waiting for another import or export to start',
  waitingForSeveral: ({ count }: { readonly count: number }) =>
    `Waiting for ${count} imports and exports to start`,
};

/** Names of keys in shortcuts. Apple keyboards have symbols for the first three. */
export const keyTexts = {
  alt: 'Alt',
  ctrl: 'Ctrl',
  shift: 'Shift',
  backspace: 'Backspace',
  tab: 'Tab',
  delete: 'Delete',
  deleteShort: 'Del',
  enter: 'Enter',
  escapeShort: 'Esc',
  space: 'Space',
};
