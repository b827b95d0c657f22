/** Values and truth of the conditions that guard statements of a script. */

/** A value that only a server knows. */
export const undetermined = Symbol('undetermined');

/** The id of an object, of which a script knows only that it is there. */
export interface ObjectId {
  readonly id: string;
}

/** A name that the server generates, such as `DF__t__a__3B75D760`. */
export interface GeneratedName {
  readonly generated: true;
}

export const generatedName: GeneratedName = { generated: true };

export type Value =
  | string
  | number
  | boolean
  | null
  | ObjectId
  | GeneratedName
  | typeof undetermined;

export type Truth = boolean | null | typeof undetermined;

export function isObjectId(value: Value): value is ObjectId {
  return typeof value === 'object' && value !== null && 'id' in value;
}

function isGenerated(value: Value): value is GeneratedName {
  return typeof value === 'object' && value !== null && 'generated' in value;
}

/** The truth of a value. A number is true unless it is zero. */
export function truthOf(value: Value): Truth {
  if (typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' ? value !== 0 : undetermined;
}

export function not(value: Value): Truth {
  const truth = truthOf(value);
  return typeof truth === 'boolean' ? !truth : truth;
}

export function and(left: Value, right: Value): Truth {
  return combine(left, right, false);
}

export function or(left: Value, right: Value): Truth {
  return combine(left, right, true);
}

/** `decisive` decides whatever the other value is. */
function combine(left: Value, right: Value, decisive: boolean): Truth {
  const truths = [truthOf(left), truthOf(right)];
  if (truths.includes(decisive)) return decisive;
  if (truths.includes(undetermined)) return undetermined;
  return truths.includes(null) ? null : !decisive;
}

export function isNull(value: Value): Truth {
  return value === undetermined ? undetermined : value === null;
}

/** How texts are compared. */
export interface TextRules {
  /** Without case and without trailing blanks, as most collations of MySQL and SQL Server do. */
  readonly ignoresCase: boolean;
}

function folded(text: string, { ignoresCase }: TextRules): string {
  return ignoresCase ? text.toLowerCase().replace(/ +$/, '') : text;
}

const ligatures: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** Texts that are equal in this form may be equal in a collation that ignores case. */
function unaccented(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}]|\s+$/gu, '')
    .replaceAll(/[ßæœþ]/g, (letter) => ligatures[letter] ?? letter);
}

const orders: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

export type Operands = readonly [left: Value, right: Value];

export function compare([left, right]: Operands, operator: string, rules: TextRules): Truth {
  if (left === undetermined || right === undetermined) return undetermined;
  if (left === null || right === null) return null;
  const isEquality = operator === '=' || operator === '<>';
  const equal = isEquality ? areEqual(left, right, rules) : undefined;
  if (equal !== undefined) return equal === undetermined ? equal : equal === (operator === '=');
  if (typeof left === 'string' && typeof right === 'string')
    return compareTexts([folded(left, rules), folded(right, rules)], operator);
  const [one, other] = [numberOf(left), numberOf(right)];
  return one === undefined || other === undefined
    ? undetermined
    : (orders[operator]?.(Math.sign(one - other)) ?? undetermined);
}

/** Collations agree on the order of digits and lowercase letters only. */
function compareTexts([left, right]: readonly [string, string], operator: string): Truth {
  if (![left, right].every((text) => /^[0-9a-z]*$/.test(text))) return undetermined;
  return orders[operator]?.(left === right ? 0 : left < right ? -1 : 1) ?? undetermined;
}

/** Undefined for what is compared as numbers. */
function areEqual(
  left: NonNullable<Value>,
  right: NonNullable<Value>,
  rules: TextRules,
): boolean | typeof undetermined | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    if (folded(left, rules) === folded(right, rules)) return true;
    return rules.ignoresCase && unaccented(left) === unaccented(right) ? undetermined : false;
  }
  if (isObjectId(left) && isObjectId(right)) return left.id === right.id;
  if (isGenerated(left) || isGenerated(right))
    return [left, right].some((each) => typeof each === 'string' && !looksGenerated.test(each))
      ? false
      : undetermined;
  if (typeof left === 'string' || typeof right === 'string') {
    const isNumeric = numberOf(left) !== undefined && numberOf(right) !== undefined;
    return isNumeric ? undefined : undetermined;
  }
  return undefined;
}

const looksGenerated = /^[A-Z]+__.*[0-9A-F]{8}$/i;

function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string')
    return /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : undefined;
  return undefined;
}

/** An id is greater than zero. */
export function compareIds([left, right]: Operands, operator: string): Truth | undefined {
  if (isObjectId(left) && right === 0) return orders[operator]?.(1);
  if (left === 0 && isObjectId(right)) return orders[operator]?.(-1);
  return undefined;
}

/** `+` of texts and of numbers. */
export function add(left: Value, right: Value): Value {
  if (left === undetermined || right === undetermined) return undetermined;
  if (left === null || right === null) return null;
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  return typeof left === 'number' && typeof right === 'number' ? left + right : undetermined;
}

export interface LikePattern {
  readonly pattern: Value;
  readonly escape: Value;
  /** `[a-z]` is a set of characters. */
  readonly hasSets: boolean;
}

export function like(
  value: Value,
  { pattern, escape, hasSets }: LikePattern,
  rules: TextRules,
): Truth {
  if (value === null || pattern === null) return null;
  if (typeof value !== 'string' || typeof pattern !== 'string') return undetermined;
  if (escape !== null && typeof escape !== 'string') return undetermined;
  const units = likeUnits(pattern, escape ?? undefined, hasSets);
  if (units === undefined) return undetermined;
  return matches([...folded(value, rules)], units, rules);
}

/** A character, `_`, `%`, each as what it matches. */
type LikeUnit = { readonly character: string } | 'one' | 'any';

/** Undefined for a pattern with a set of several characters. */
function likeUnits(
  pattern: string,
  escape: string | undefined,
  hasSets: boolean,
): readonly LikeUnit[] | undefined {
  const units: LikeUnit[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] ?? '';
    if (character === escape) {
      i += 1;
      units.push({ character: characters[i] ?? '' });
    } else if (hasSets && character === '[') {
      if (characters[i + 2] !== ']' || characters[i + 1] === '^') return undefined;
      units.push({ character: characters[i + 1] ?? '' });
      i += 2;
    } else units.push(character === '%' ? 'any' : character === '_' ? 'one' : { character });
  }
  return units;
}

/** Goes back to the last `%` only, so the time is bounded by the product of both lengths. */
function matches(
  characters: readonly string[],
  units: readonly LikeUnit[],
  rules: TextRules,
): boolean {
  let [at, unit, anyAt, anyUnit] = [0, 0, 0, -1];
  while (at < characters.length) {
    const current = units[unit];
    if (current === 'any') [anyUnit, anyAt, unit] = [unit, at, unit + 1];
    else if (
      current === 'one' ||
      (current !== undefined && isSameCharacter(current.character, characters[at] ?? '', rules))
    )
      [at, unit] = [at + 1, unit + 1];
    else if (anyUnit >= 0) [anyAt, at, unit] = [anyAt + 1, anyAt + 1, anyUnit + 1];
    else return false;
  }
  return units.slice(unit).every((rest) => rest === 'any');
}

function isSameCharacter(one: string, other: string, { ignoresCase }: TextRules): boolean {
  return one === other || (ignoresCase && one.toLowerCase() === other.toLowerCase());
}
