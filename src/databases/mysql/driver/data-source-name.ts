/** Parameters of Go's driver that have no effect here, in lower case. */
export const goParameters: readonly string[] = [
  ...['allowallfiles', 'allowcleartextpasswords', 'allowfallbacktoplaintext'],
  ...['allownativepasswords', 'allowoldpasswords', 'checkconnliveness', 'clientfoundrows'],
  ...['columnswithalias', 'compress', 'connectionattributes', 'interpolateparams'],
  ...['maxallowedpacket', 'readtimeout', 'rejectreadonly', 'serverpubkey', 'timeout'],
  ...['timetruncate', 'writetimeout'],
];

/** `tls` of Go's driver as `ssl-mode`. */
const tlsModes: Readonly<Record<string, string>> = {
  true: 'verify_identity',
  false: 'disabled',
  'skip-verify': 'required',
  preferred: 'preferred',
};

/** `ada:secret@/shop` is a server on this machine. The colon and the `@` tell it from a path; `C:/` is one. */
const withoutAddress = /^(?![a-z]:[/\\])([^/:@]+:.*)@((?:tcp)?)()\/([^/?]*)(?:\?(.*))?$/is;

/**
 * The URL of a data source name such as `ada:secret@tcp(localhost:3306)/shop?parseTime=true`, or undefined.
 * Passwords may contain any character: https://github.com/go-sql-driver/mysql#dsn-data-source-name
 */
export function urlOfGo(text: string): string | undefined {
  const [, login = '', network, address = '', database = '', query = ''] =
    /^(?:(.*)@)?(tcp[46]?|unix)\(([^()]*)\)\/([^/?]*)(?:\?(.*))?$/s.exec(text) ??
    withoutAddress.exec(text) ??
    [];
  if (network === undefined) return undefined;
  const colon = login.indexOf(':');
  const [user, password] =
    colon === -1 ? [login, ''] : [login.slice(0, colon), login.slice(colon + 1)];
  const host = network === 'unix' ? encodeURIComponent(address) : address || '127.0.0.1';
  return `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${database}?${queryOf(query)}`;
}

function queryOf(text: string): string {
  const query = new URLSearchParams(text);
  const tls = query.get('tls');
  query.delete('tls');
  if (tls !== null) query.set('ssl-mode', tlsModes[tls.toLowerCase()] ?? tls);
  return query.toString();
}
