/** Where a request goes, from its URL: raw, so that ids can be split before they are decoded. */
export interface RequestTarget {
  /** With its percent-encoding. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

/** `url` is absolute, as `Request.url` is. */
export function targetOf(url: string): RequestTarget {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const hash = url.indexOf('#', start);
  const end = hash < 0 ? url.length : hash;
  const question = url.indexOf('?', start);
  if (question < 0 || question > end) return { path: url.slice(start, end), query: '' };
  return { path: url.slice(start, question), query: url.slice(question + 1, end) };
}

/** The path that a prefix stands for, without a slash at its end: empty for `/`. */
export function basePath(prefix: string): string {
  const inner = prefix.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${encodeURI(inner)}`;
}
