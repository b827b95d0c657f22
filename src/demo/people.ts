import { day, dateText, minute, now, timestampText, zonedText } from './calendar.ts';
import { cultures, oddNames, type Culture } from './names.ts';
import type { Role } from './people-tables.ts';
import { readPicture } from './pictures.ts';
import { createRandom, itemAt, type Random } from './random.ts';
import type { TableRows } from './table-rows.ts';

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly given: string;
  readonly family: string | null;
  readonly familyFirst: boolean;
  readonly role: Role;
  readonly managerId: number | null;
  readonly culture: Culture;
}

const staff: readonly Role[] = [
  'publisher',
  'editor',
  'editor',
  'editor',
  'editor',
  'editor',
  'sales',
  'designer',
  'designer',
  'sales',
];
const peopleCount = 160;

/** The name as the generated column computes it. */
export function fullName({ given, family, familyFirst }: Person): string {
  if (family === null) return given;
  return familyFirst ? `${family} ${given}` : `${given} ${family}`;
}

export function peopleRows(people: readonly Person[]): TableRows[] {
  return [userRows(people, createRandom('users')), profileRows(people, createRandom('profiles'))];
}

export function makePeople(): Person[] {
  const random = createRandom('people');
  const emails = new Set<string>();
  return Array.from({ length: peopleCount }, (_, i) => {
    const culture = itemAt(cultures, i);
    const name = nameOf(i, culture, random);
    const role = staff[i] ?? (random.chance(0.72) ? 'author' : 'translator');
    const email = freeEmail(name.latin, emails);
    const familyFirst = culture.familyFirst === true;
    const { given, family } = name;
    return {
      id: i + 1,
      email,
      given,
      family,
      familyFirst,
      role,
      managerId: managerOf(i, random),
      culture,
    };
  });
}

interface Name {
  readonly given: string;
  readonly family: string | null;
  readonly latin: string;
}

/** Unusual names come last, so that they are not on the first page. */
function nameOf(index: number, culture: Culture, random: Random): Name {
  const odd = oddNames[index - (peopleCount - oddNames.length)];
  if (odd !== undefined) return odd;
  const [given = '', latinGiven = given] = random.pick(culture.given).split('|');
  if (culture.family.length === 0) return { given, family: null, latin: asciiName(latinGiven) };
  const [family = '', latinFamily = family] = random.pick(culture.family).split('|');
  return { given, family, latin: `${asciiName(latinGiven)}.${asciiName(latinFamily)}` };
}

const foldedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

function asciiName(name: string): string {
  const plain = name.toLowerCase().replace(/[ßøłđðþæœı]/g, (letter) => foldedLetters[letter] ?? '');
  return plain.normalize('NFD').replace(/[^a-z]/g, '');
}

function freeEmail(name: string, takenEmails: Set<string>): string {
  let email = `${name}@umbel-press.example`;
  for (let i = 2; takenEmails.has(email); i++) email = `${name}${i}@umbel-press.example`;
  takenEmails.add(email);
  return email;
}

/** The publisher has no manager, the staff reports to the publisher, everyone else to an editor. */
function managerOf(index: number, random: Random): number | null {
  if (index === 0) return null;
  if (index < staff.length) return 1;
  return random.chance(0.9) ? random.int(2, 6) : null;
}

function userRows(people: readonly Person[], random: Random): TableRows {
  const columns = [
    'id',
    'email',
    'given_name',
    'family_name',
    'name_order',
    'role',
    'manager_id',
    'is_active',
    'created_at',
    'last_seen_at',
  ];
  const rows = people.map((person) => {
    const createdAt = now - (3000 - person.id * 15) * day - random.int(0, 600) * minute;
    const lastSeenAt = random.chance(0.85)
      ? zonedText(now - random.int(1, 90_000) * minute, person.culture.zone)
      : null;
    const order = person.familyFirst ? 'family' : 'given';
    const { id, email, given, family, role, managerId } = person;
    return [
      id,
      email,
      given,
      family,
      order,
      role,
      managerId,
      random.chance(0.93),
      zonedText(createdAt),
      lastSeenAt,
    ];
  });
  return { table: 'users', columns, rows };
}

const profileShare = 0.75;

function profileRows(people: readonly Person[], random: Random): TableRows {
  const columns = [
    'id',
    'user_id',
    'bio',
    'website',
    'born_on',
    'city',
    'languages',
    'settings',
    'avatar',
    'updated_at',
  ];
  const owners = people.filter(
    (person) => person.id <= staff.length || random.chance(profileShare),
  );
  const rows = owners.map((person, i) => [
    i + 1,
    person.id,
    random.chance(0.15) ? '' : bioOf(person, random),
    random.chance(0.4) ? `https://${person.email.split('@')[0]}.example/` : null,
    random.chance(0.8) ? dateText(now - random.int(23 * 365, 80 * 365) * day) : null,
    random.pick(person.culture.cities),
    JSON.stringify([...new Set([person.culture.language, 'en', random.pick(cultures).language])]),
    settingsOf(random),
    i < staff.length || random.chance(0.85) ? readPicture(`avatar-${i + 1}`) : null,
    timestampText(now - random.int(0, 700) * day - random.int(0, 1400) * minute),
  ]);
  return { table: 'profiles', columns, rows };
}

const pursuits = [
  'keeps bees on the roof',
  'reads every dictionary from the back',
  'collects misprinted maps',
  'plays the viola, badly',
  'swims in cold lakes',
  'restores letterpress machines',
  'grows quinces',
  'walks to work along the canal',
  'has never finished a crossword',
  'writes only in pencil',
  'bakes rye bread on Sundays',
  'repairs radios',
] as const;

const careers: Readonly<Record<Role, readonly string[]>> = {
  publisher: ['Founded the house in a former seed shop'],
  editor: [
    'Edits fiction in four languages',
    'Looks after poetry and the short form',
    'Came from a newspaper’s night desk',
  ],
  author: [
    'Novelist',
    'Writes essays about rivers and borders',
    'Poet and retired surveyor',
    'Historian of small things',
    'Wrote for the stage before the first novel',
    'Botanist who turned to stories',
  ],
  translator: [
    'Translates what others call untranslatable',
    'Moves novels between three languages',
    'Interpreter by day',
  ],
  designer: ['Draws letters', 'Makes covers, mostly with scissors'],
  sales: ['Knows every bookshop between the two seas', 'Counts what is sold and what comes back'],
};

function bioOf(person: Person, random: Random): string {
  return `${random.pick(careers[person.role])}; ${random.pick(pursuits)}.`;
}

function settingsOf(random: Random): string {
  const theme = random.pick(['light', 'dark', 'system'] as const);
  const notify = {
    email: random.chance(0.6),
    push: random.chance(0.3),
    digest: random.pick(['daily', 'weekly', null] as const),
  };
  return JSON.stringify({
    theme,
    notify,
    pageSize: random.pick([25, 50, 100]),
    pinned: random.sample(['posts', 'orders', 'books'], 1),
  });
}
