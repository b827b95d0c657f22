/** Texts of controls that several pages share. */
export const partsTexts = {
  copied: 'Copied',
  clipboardForbidden: 'The browser does not allow access to the clipboard.',
  tryAgain: 'Try again',
  noResponse: 'The studio server does not respond. Is it still running?',
  messages: 'Messages',
  dismiss: 'Dismiss',
  rate: ({ rows }: { readonly rows: string }) => `${rows} rows/s`,
  rateAndRest: ({ rate, left }: { readonly rate: string; readonly left: string }) =>
    `${rate}, about ${left} left`,
  waitingForOne: 'Waiting for another import or export to start',
  waitingForSeveral: ({ count }: { readonly count: number }) =>
    `Waiting for ${count} imports and exports to start`,
};
