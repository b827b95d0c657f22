/** `scheme://user:password@`. Matches up to the last @, because an unencoded password may contain one. */
const userinfo = /\b([a-z][a-z\d+.-]*:\/\/[^\s:@/"'`<>]*):[^\s"'`<>]*@/gi;

/** `?password=…`, `;pwd={…}`, `&access_token=…`, and ` password='…'` in the connection strings of libpq. */
const parameters =
  /((?:[?&;\s]|^)(?:[a-z_]*password|pwd|[a-z_]*token|[a-z_]*secret)\s*=\s*)(?:\{(?:[^}]|\}\})*\}|'(?:[^'\\]|\\.)*'|[^&;\s"'`<>]+)/gi;

/** `user:password@tcp(` or `user:password@/` in the data source names of Go's MySQL driver. */
const goLogin = /(?<=^|[\s"'`<>])([^\s:@/"'`<>]*):\S*@(?=(?:tcp[46]?|unix)\(|(?:tcp)?\/)/gi;

/** Replaces the passwords and tokens of all URLs in a text by `***`. User names remain. */
export function maskCredentials(text: string): string {
  return text.replace(userinfo, '$1:***@').replace(goLogin, '$1:***@').replace(parameters, '$1***');
}
