/** Other names of the settings, in lower case without spaces. */
const aliases: Readonly<Record<string, string>> = {
  databasename: 'database',
  initialcatalog: 'database',
  username: 'user',
  userid: 'user',
  uid: 'user',
  pwd: 'password',
  instancename: 'instance',
  applicationname: 'appname',
};

/** The parts of a URL such as `sqlserver://host:1433;database=shop;user=ada;password={a;b}`. */
export interface JdbcSettings {
  /** `host`, `host:port` or `host\\instance`. */
  readonly server: string;
  /** By names in lower case without spaces. */
  readonly values: ReadonlyMap<string, string>;
  readonly invalid: boolean;
}

/** `;name=value`. A value in braces may contain semicolons, and `}` as `}}`. */
const setting = /;\s*(?:([^=;{}]+)=\s*(?:\{((?:[^}]|\}\})*)\}|([^;{}]*))\s*)?/y;

/** Undefined for URLs whose parameters follow a question mark. */
export function settingsOfJdbc(url: string): JdbcSettings | undefined {
  const [, server, rest] = /^[a-z]+:\/\/([^;/?@]*)(;.*)?$/is.exec(url) ?? [];
  if (server === undefined || rest === undefined) return undefined;
  const values = new Map<string, string>();
  setting.lastIndex = 0;
  let position = 0;
  while (position < rest.length) {
    const [match, name, braced, plain = ''] = setting.exec(rest) ?? [];
    if (match === undefined) return { server, values, invalid: true };
    position += match.length;
    if (name !== undefined) values.set(keyOf(name), braced?.replaceAll('}}', '}') ?? plain.trim());
  }
  return { server, values, invalid: false };
}

function keyOf(name: string): string {
  const key = name.toLowerCase().replaceAll(/\s/g, '');
  return aliases[key] ?? key;
}
