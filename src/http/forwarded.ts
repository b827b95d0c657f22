/** What one proxy says of the request that it received. */
export interface ForwardedHop {
  /** Undefined where the proxy hides it or the text cannot be read. */
  readonly address: string | undefined;
  readonly scheme: string | undefined;
}

/**
 * The hops of a `Forwarded` header (RFC 7239), in its order. Every comma ends a hop, quoted or not:
 * the values that proxies write hold none, and a quotation mark that a client leaves open must not
 * swallow what the proxies add behind it.
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

/** Some proxies add the port: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
export function withoutPort(node: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\w*)?$/.exec(node) ?? [];
  return bracketed ?? node.replace(/^([\d.]+):\w+$/, '$1');
}
