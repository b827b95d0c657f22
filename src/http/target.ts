/** Path and query of a request, not decoded: ids must be split before they are decoded. */
export interface RequestTarget {
  /** Percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** `url` is an absolute URL, such as `Request.url`. */
export function targetOf(url: string): RequestTarget {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const hash = url.indexOf('#', start);
  const end = hash < 0 ? url.length : hash;
  const question = url.indexOf('?', start);
  if (question < 0 || question > end) return { path: url.slice(start, end), query: '' };
  return { path: url.slice(start, question), query: url.slice(question + 1, end) };
}

/** Normalizes a prefix to a path without a trailing slash; empty for `/`. */
export function basePath(prefix: string): string {
  const inner = prefix.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${encodeURI(inner)}`;
}
