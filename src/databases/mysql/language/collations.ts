/** Collations of MySQL and MariaDB that not every server has. */

interface Server {
  readonly isMariadb: boolean;
  readonly version: string;
}

/** The name of a collation, or that of the nearest one if only other servers have it. */
export function collationsOf({ isMariadb, version }: Server): (name: string) => string {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  if (isMariadb) return (name) => ofMariadb(name, major > 10 || minor >= 10);
  return (name) => ofMysql(name, major >= 8);
}

/** The collation in which texts are equal only if all their characters are, trailing blanks included where the server can. */
export function exactCollationOf({ isMariadb, version }: Server): string {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  if (isMariadb) return major > 10 || minor >= 2 ? 'utf8mb4_nopad_bin' : 'utf8mb4_bin';
  return major > 8 || (major === 8 && (minor > 0 || patch >= 17))
    ? 'utf8mb4_0900_bin'
    : 'utf8mb4_bin';
}

/** https://dev.mysql.com/doc/refman/8.4/en/charset-unicode-sets.html: they do not ignore trailing blanks. */
const of0900 = /^utf8mb4_(?:\w+_)?0900_(ai_ci|as_ci|as_cs|bin)$/i;

/** https://mariadb.com/kb/en/supported-character-sets-and-collations/ */
function ofMariadb(name: string, hasUca1400: boolean): string {
  const sensitivity = of0900.exec(name)?.[1]?.toLowerCase();
  if (sensitivity === undefined) return name;
  if (sensitivity === 'bin') return 'utf8mb4_nopad_bin';
  if (hasUca1400) return `utf8mb4_uca1400_nopad_${sensitivity}`;
  return sensitivity === 'as_cs' ? 'utf8mb4_nopad_bin' : 'utf8mb4_unicode_520_nopad_ci';
}

const ofUca1400 = /^(?:(\w+?)_)?uca1400_(?:\w+_)?(a[is])_(c[is])$/i;
const withoutPadding = /^(utf8(?:mb[34])?|latin1|ascii|ucs2|utf16|utf32)_(\w+_)?nopad_(ci|bin)$/i;

function ofMysql(name: string, has0900: boolean): string {
  const uca = ofUca1400.exec(name);
  if (uca !== null) {
    const [, charset = 'utf8mb4', accents = '', cases = ''] = uca;
    if (!has0900 || charset.toLowerCase() !== 'utf8mb4') return `${charset}_unicode_520_ci`;
    // MySQL has no collation that compares letter case but no accents.
    return `utf8mb4_0900_${/cs/i.test(cases) ? 'as_cs' : `${accents}_ci`.toLowerCase()}`;
  }
  return name.replace(withoutPadding, '$1_$2$3');
}
