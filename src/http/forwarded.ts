/** One element of a forwarding header, added by one proxy. */
export interface ForwardedHop {
  /** Undefined if the proxy hides it or it is malformed. */
  readonly address: string | undefined;
  readonly scheme: string | undefined;
}

/**
 * Parses the elements of a `Forwarded` header (RFC 7239), in order. Commas separate elements even
 * inside quotes: values written by proxies contain none, and an unclosed quote of a client must not
 * hide the elements that proxies append.
 */
export function parseForwarded(header: string): readonly ForwardedHop[] {
  return header.split(',').map((hop) => {
    const members = new Map(hop.split(';').map(readPair));
    const node = members.get('for');
    return {
      address: node === undefined ? undefined : withoutPort(node),
      scheme: members.get('proto'),
    };
  });
}

function readPair(pair: string): readonly [string, string] {
  const equals = pair.indexOf('=');
  const value = pair.slice(equals + 1).trim();
  const [, quoted] = /^"(.*)"$/.exec(value) ?? [];
  return [pair.slice(0, Math.max(equals, 0)).trim().toLowerCase(), quoted ?? value];
}

/** Removes a port, which some proxies add: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
export function withoutPort(node: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\w*)?$/.exec(node) ?? [];
  return bracketed ?? node.replace(/^([\d.]+):\w+$/, '$1');
}
