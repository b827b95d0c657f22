/** Security headers of all responses. */
const security = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

export type HeaderFields = Readonly<Record<string, string>>;

/** If a browser displays an API response as a page, the CSP prevents it from running or loading anything. */
export const apiHeaders: HeaderFields = {
  ...security,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cache-Control': 'no-store',
};

export const jsonHeaders: HeaderFields = { ...apiHeaders, 'Content-Type': 'application/json' };

/** Pages load assets from the studio only and have no inline scripts or styles. */
export const pageHeaders: HeaderFields = {
  ...security,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
};
