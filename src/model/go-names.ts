/** Names on both sides of a Go model: GORM's names for Go identifiers, and Go identifiers for database names. */
import { plural, singular } from './inflection.ts';

// GORM's naming strategy: database names from Go identifiers.

/** Tried in this order at each position of a name. The first match counts as one word. */
const gormInitialisms =
  /API|ASCII|CPU|CSS|DNS|EOF|GUID|HTML|HTTP|HTTPS|ID|IP|JSON|LHS|QPS|RAM|RHS|RPC|SLA|SMTP|SSH|TLS|TTL|UID|UI|UUID|URI|URL|UTF8|VM|XML|XSRF|XSS/g;

/** The column that GORM gives a field without a `column:` tag. */
export function columnName(goField: string): string {
  const name = goField.replace(gormInitialisms, (word) => word[0] + word.slice(1).toLowerCase());
  return [...name].map((_, i, letters) => snakeLetter(letters, i)).join('');
}

/** The table that GORM gives a struct without a TableName method. */
export function tableName(goStruct: string): string {
  return plural(columnName(goStruct));
}

function snakeLetter(letters: readonly string[], i: number): string {
  const letter = letters[i] ?? '';
  if (!isCapital(letters, i)) return letter;
  return startsWord(letters, i) ? `_${letter.toLowerCase()}` : letter.toLowerCase();
}

function startsWord(letters: readonly string[], i: number): boolean {
  if (i === 0) return false;
  const afterCapital = isCapital(letters, i - 1);
  if (i === letters.length - 1) return !afterCapital;
  if (afterCapital && /^[A-Z0-9]/.test(letters[i + 1] ?? '')) return false;
  return letters[i - 1] !== '_' && letters[i + 1] !== '_';
}

/** GORM compares bytes, so a letter after a non-ASCII one does not count as a capital. */
function isCapital(letters: readonly string[], i: number): boolean {
  return /^[A-Z]/.test(letters[i] ?? '') && (i === 0 || /^[\0-\x7f]/.test(letters[i - 1] ?? ''));
}

// Go identifiers from database names.

/** Words that Go writes in capitals (`APIURL`), plurals with a small s (`IDs`). */
const goInitialisms: ReadonlySet<string> = new Set(
  (
    'acl api ascii cpu css dns eof guid html http https id ip json lhs qps ram rhs rpc sla smtp ' +
    'sql ssh tcp tls ttl udp ui uid uuid uri url utf8 vm xml xmpp xsrf xss'
  ).split(' '),
);

/** A column's field as a Go developer writes it: `author_id` is `AuthorID`. Always a valid, exported identifier. */
export function goFieldName(column: string): string {
  return goIdentifier(wordsOf(column));
}

/** The name of a reference through the column: its name without a last word `id`. Empty for `id` alone. */
export function goReferenceName(column: string): string {
  const words = wordsOf(column);
  const stem = words.at(-1)?.toLowerCase() === 'id' ? words.slice(0, -1) : words;
  return words.length > 0 && stem.length === 0 ? '' : goIdentifier(stem);
}

/** A table's struct: `blog_posts` is `BlogPost`, `audit.logs` is `AuditLog`. */
export function goStructName(table: string): string {
  return goIdentifier(inflectLast(wordsOf(table), singularWord));
}

/** The plural for rows of a table: `BlogPosts` for both `blog_post` and `blog_posts`. */
export function goPluralName(table: string): string {
  return goIdentifier(inflectLast(wordsOf(table), pluralWord));
}

/** The fields of a table's struct, by column. `TableName` is left to the method that every model has. */
export function goFieldNames(columns: readonly string[]): ReadonlyMap<string, string> {
  const names = uniqueNames(columns.map(goFieldName), reservedFields);
  return new Map(columns.map((column, i) => [column, names[i] ?? '']));
}

/** The structs of tables in one package, by table. */
export function goStructNames(tables: readonly string[]): ReadonlyMap<string, string> {
  const names = uniqueNames(tables.map(goStructName));
  return new Map(tables.map((table, i) => [table, names[i] ?? '']));
}

/** Names that no field of a model can have. */
export const reservedFields: readonly string[] = ['TableName'];

/**
 * Makes the names different from each other and from those that are taken, ignoring case. The first of
 * several equal names stays, the next are numbered from 2. No number results in a name that exists.
 */
export function uniqueNames(
  names: readonly string[],
  reservedNames: Iterable<string> = [],
): readonly string[] {
  const usedNames = new Set(Array.from(reservedNames, foldCase));
  const requested = new Set(names.map(foldCase));
  return names.map((name) => {
    const free = usedNames.has(foldCase(name))
      ? numbered(name, (n) => usedNames.has(n) || requested.has(n))
      : name;
    usedNames.add(foldCase(free));
    return free;
  });
}

/** Two names have the same form if they differ in case only. */
export function foldCase(name: string): string {
  return name.toLowerCase();
}

function numbered(name: string, isUsed: (folded: string) => boolean): string {
  let n = 2;
  while (isUsed(foldCase(name + n))) n++;
  return name + n;
}

/** Where a word ends inside letters and digits: `blogPost`, `HTMLBody`, but not `IDs`. */
const breaks = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/u;

/** The words of a name. They are in lower case if the name is all in capitals. */
function wordsOf(name: string): readonly string[] {
  const composed = name.normalize('NFC');
  const text = /\p{Ll}/u.test(composed) ? composed : composed.toLowerCase().normalize('NFC');
  return (text.match(/[\p{L}\p{Nd}]+/gu) ?? []).flatMap((run) => run.split(breaks));
}

/** Characters that are neither letters nor digits in Go, which has Unicode 15.0. All characters beyond the BMP count. */
const unknownToGo =
  /[^\p{L}\p{Nd}]|[\u088f\u0c5c\u0cdc\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2\ua7d4\ua7da-\ua7dc\ua7f1\u{10000}-\u{10ffff}]/gu;

/** Adds an `X` before what cannot begin an exported identifier: a digit, a letter without case, or an empty name. */
function goIdentifier(words: readonly string[]): string {
  // A change of case can add combining marks and letters that Go does not know.
  const name = words.map(goWord).join('').normalize('NFC').replace(unknownToGo, '');
  return /^\p{Lu}/u.test(name) ? name : `X${name}`;
}

function goWord(word: string): string {
  const small = word.toLowerCase();
  if (goInitialisms.has(small)) return small.toUpperCase();
  if (small.endsWith('s') && goInitialisms.has(small.slice(0, -1))) {
    return `${small.slice(0, -1).toUpperCase()}s`;
  }
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}

function inflectLast(words: readonly string[], form: (word: string) => string): readonly string[] {
  return words.map((word, i) => (i === words.length - 1 ? form(word) : word));
}

/** A word that is a plural stays as it is written (`heroes`), though inflection would form another. */
function pluralWord(word: string): string {
  return singularWord(word) === word ? plural(word) : word;
}

/** Words whose singular by inflection is not a word: `drives`, `caches`, `bonus`, `data`. The first match decides. */
const singularExceptions: readonly (readonly [RegExp, string])[] = [
  [/^(canvas|atlas|gas|bias|chaos|iris|chassis|debris|lens|sms|gps|os|pos|cms|aws)(?:es)?$/i, '$1'],
  [/(?<!^(?:[Mm]en|[Gg]ur|[Gg]n|[Ee]m))us$/, '$&'],
  [/(bon|vir|foc|cens|radi)uses$/i, '$1us'],
  [/a$/, '$&'],
  [/(?<![eo])aches$/, 'ache'],
  [/bases$/i, 'base'],
  [/(?<!o)(li|kni|wi)ves$/i, '$1fe'],
  [/(el|wol|cal|hal|scar|dwar|lea|loa|thie)ves$/i, '$1f'],
  [/ves$/, 've'],
];

function singularWord(word: string): string {
  if (goInitialisms.has(word.toLowerCase())) return word;
  const rule = singularExceptions.find(([pattern]) => pattern.test(word));
  return rule === undefined ? singular(word) : word.replace(...rule);
}
