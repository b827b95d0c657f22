/** The security headers; each answer's headers are made once, together with it, and never touched afterwards. */
const security = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

export type HeaderFields = Readonly<Record<string, string>>;

/** An answer of the API is data: should a browser show one as a page, nothing in it runs or loads. */
export const apiHeaders: HeaderFields = {
  ...security,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cache-Control': 'no-store',
};

export const jsonHeaders: HeaderFields = { ...apiHeaders, 'Content-Type': 'application/json' };

/** Pages and their assets come from the studio alone, without inline scripts or styles. */
export const pageHeaders: HeaderFields = {
  ...security,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
};
