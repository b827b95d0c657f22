/**
 * English plural and singular as Go's `jinzhu/inflection` forms them, which is what GORM names
 * tables by: wrong for some words, but wrong in the same way.
 */

/** A word's ending and what replaces it (`$1`, `$2`: what the ending's groups matched). */
type Ending = readonly [ending: string, replacement: string];
type Rule = readonly [pattern: RegExp, replacement: string];

const uncountable: readonly string[] = [
  'equipment',
  'information',
  'rice',
  'money',
  'species',
  'series',
  'fish',
  'sheep',
  'jeans',
  'police',
];

const irregular: readonly Ending[] = [
  ['person', 'people'],
  ['man', 'men'],
  ['child', 'children'],
  ['sex', 'sexes'],
  ['move', 'moves'],
  ['mombie', 'mombies'],
];

const plurals: readonly Ending[] = [
  ['(quiz)$', '$1zes'],
  ['^(oxen)$', '$1'],
  ['^(ox)$', '$1en'],
  ['^(m|l)ice$', '$1ice'],
  ['^(m|l)ouse$', '$1ice'],
  ['(matr|vert|ind)(?:ix|ex)$', '$1ices'],
  ['(x|ch|ss|sh)$', '$1es'],
  ['([^aeiouy]|qu)y$', '$1ies'],
  ['(hive)$', '$1s'],
  ['(?:([^f])fe|([lr])f)$', '$1$2ves'],
  ['sis$', 'ses'],
  ['([ti])a$', '$1a'],
  ['([ti])um$', '$1a'],
  ['(buffal|tomat)o$', '$1oes'],
  ['(bu)s$', '$1ses'],
  ['(alias|status)$', '$1es'],
  ['(octop|vir)i$', '$1i'],
  ['(octop|vir)us$', '$1i'],
  ['^(ax|test)is$', '$1es'],
  ['s$', 's'],
  ['([a-z])$', '$1s'],
];

const singulars: readonly Ending[] = [
  ['(database)s$', '$1'],
  ['(quiz)zes$', '$1'],
  ['(matr)ices$', '$1ix'],
  ['(vert|ind)ices$', '$1ex'],
  ['^(ox)en', '$1'],
  ['(alias|status)(?:es)?$', '$1'],
  ['(octop|vir)(?:us|i)$', '$1us'],
  ['^(a)x[ie]s$', '$1xis'],
  ['(cris|test)(?:is|es)$', '$1is'],
  ['(shoe)s$', '$1'],
  ['(o)es$', '$1'],
  ['(bus)(?:es)?$', '$1'],
  ['^(m|l)ice$', '$1ouse'],
  ['(x|ch|ss|sh)es$', '$1'],
  ['(c)ookies$', '$1ookie'],
  ['(m)ovies$', '$1ovie'],
  ['(s)eries$', '$1eries'],
  ['([^aeiouy]|qu)ies$', '$1y'],
  ['([lr])ves$', '$1f'],
  ['(tive)s$', '$1'],
  ['(hive)s$', '$1'],
  ['([^f])ves$', '$1fe'],
  ['(analy|ba|diagno|parenthe|progno|synop|the)(?:sis|ses)$', '$1sis'],
  ['([ti])a$', '$1um'],
  ['(n)ews$', '$1ews'],
  ['(ss)$', '$1'],
  ['s$', ''],
];

const pluralRules = compile(irregular, plurals);
const singularRules = compile(
  irregular.map(([one, many]) => [many, one] as const),
  singulars,
);

export function plural(word: string): string {
  return inflect(word, pluralRules);
}

export function singular(word: string): string {
  return inflect(word, singularRules);
}

function inflect(word: string, rules: readonly Rule[]): string {
  const found = rules.find(([pattern]) => pattern.test(word));
  return found === undefined ? word : word.replace(...found);
}

/** The first rule that matches decides. */
function compile(exceptions: readonly Ending[], endings: readonly Ending[]): readonly Rule[] {
  return [
    ...uncountable.map((word): Rule => [new RegExp(`^${word}$`, 'iu'), '$&']),
    ...exceptions.flatMap(([from, to]) => [
      rule(`${from.toUpperCase()}$`, to.toUpperCase()),
      rule(`${title(from)}$`, title(to)),
      rule(`${from}$`, to),
    ]),
    ...endings.flatMap(([from, to]) => [
      rule(from.toUpperCase(), to.toUpperCase()),
      rule(from, to),
      rule(from, to, 'iu'),
    ]),
  ];
}

function rule(pattern: string, replacement: string, flags = 'u'): Rule {
  return [new RegExp(pattern, flags), replacement];
}

function title(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
