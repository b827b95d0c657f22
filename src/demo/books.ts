import { day, dateText, minute, now, timestampText } from './calendar.ts';
import { cultures } from './names.ts';
import type { Person } from './people.ts';
import { readPicture } from './pictures.ts';
import { createRandom, itemAt, type Random } from './random.ts';
import type { TableRows } from './table-rows.ts';
import { foreignTitles, subjects, subtitles, titleParts } from './titles.ts';

export interface Book {
  readonly id: number;
  readonly title: string;
  readonly language: string;
  /** The translation of a title in another script. */
  readonly meaning?: string;
  readonly author: Person;
  readonly translator?: Person;
  /** In ms; undefined if the book is not published yet. */
  readonly publishedAt: number | undefined;
}

export interface Edition {
  readonly isbn: string;
  readonly book: Book;
  readonly format: Format;
  readonly priceInCents: number;
  readonly publishedAt: number;
}

interface Format {
  readonly code: string;
  readonly name: string;
  readonly isDigital: boolean;
  readonly taxRate: string;
  readonly pricesInCents: readonly number[];
}

const bookCount = 150;

/**
 * No price ends in 50 cents: with tax it would end in half a cent, which databases with a decimal
 * type round differently from SQLite.
 */
const formats: readonly Format[] = [
  {
    code: 'hardcover',
    name: 'Hardcover, sewn',
    isDigital: false,
    taxRate: '0.070',
    pricesInCents: [2200, 2490, 2800, 3000],
  },
  {
    code: 'paperback',
    name: 'Paperback',
    isDigital: false,
    taxRate: '0.070',
    pricesInCents: [1400, 1590, 1680, 1800],
  },
  {
    code: 'pocket',
    name: 'Pocket book',
    isDigital: false,
    taxRate: '0.070',
    pricesInCents: [790, 990, 1000, 1280],
  },
  {
    code: 'ebook',
    name: 'E-book (EPUB 3)',
    isDigital: true,
    taxRate: '0.070',
    pricesInCents: [0, 599, 899, 1199],
  },
  {
    code: 'audiobook',
    name: 'Audiobook, unabridged',
    isDigital: true,
    taxRate: '0.190',
    pricesInCents: [1495, 1995, 2195],
  },
];

export function bookRows(books: readonly Book[], editions: readonly Edition[]): TableRows[] {
  return [
    { table: 'subjects', columns: ['code', 'name', 'parent_code'], rows: subjects },
    formatRows(),
    booksRows(books, createRandom('books table')),
    contributorRows(books, createRandom('contributors')),
    editionRows(editions, createRandom('editions table')),
    readingRows(books, createRandom('readings')),
  ];
}

/** Formats cents as a decimal with two digits: `12.90`. */
export function price(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

export function makeBooks(people: readonly Person[]): Book[] {
  const random = createRandom('books');
  const authors = people.filter((person) => person.role === 'author');
  const translators = people.filter((person) => person.role === 'translator');
  const titles = shuffled([...foreignTitles, ...englishTitles(random)], random);
  return titles.map(([language, title, meaning], i) => {
    const author = authorOf(language, authors, random);
    const translated =
      meaning === undefined ? {} : { meaning, translator: random.pick(translators) };
    const publishedAt = i > bookCount - 8 ? undefined : now - random.int(20, 4000) * day;
    return { id: i + 1, title, language, author, publishedAt, ...translated };
  });
}

type Title = readonly [language: string, title: string, meaning?: string];

function englishTitles(random: Random): Title[] {
  const titles = new Set<string>();
  while (titles.size < bookCount - foreignTitles.length) {
    const { beginnings, ends } = itemAt(titleParts, titles.size % 3 === 0 ? 1 : 0);
    titles.add(`${random.pick<string>(beginnings)} ${random.pick<string>(ends)}`);
  }
  return [...titles].map((title) => ['en', title]);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const remaining = [...items];
  return items.flatMap(() => remaining.splice(random.int(0, remaining.length - 1), 1));
}

/** Returns an author who writes in the language, if there is one. */
function authorOf(language: string, authors: readonly Person[], random: Random): Person {
  const natives = authors.filter((person) => person.culture.language === language);
  return random.pick(language === 'en' || natives.length === 0 ? authors : natives);
}

function formatRows(): TableRows {
  const columns = ['code', 'name', 'is_digital', 'tax_rate'];
  return {
    table: 'formats',
    columns,
    rows: formats.map((format) => [format.code, format.name, format.isDigital, format.taxRate]),
  };
}

function booksRows(books: readonly Book[], random: Random): TableRows {
  const columns = [
    'id',
    'title',
    'subtitle',
    'language',
    'subject_code',
    'blurb',
    'page_count',
    'rating',
    'first_published_on',
    'metadata',
    'cover',
    'created_at',
  ];
  const rows = books.map((book) => [
    book.id,
    book.title,
    book.meaning ?? (random.chance(0.5) ? random.pick(subtitles) : null),
    book.language,
    random.chance(0.92) ? random.pick(subjects)[0] : null,
    random.chance(0.1) ? '' : blurbOf(book, random),
    random.int(6, 74) * 8,
    book.publishedAt === undefined ? null : random.int(230, 490) / 100,
    book.publishedAt === undefined ? null : dateText(book.publishedAt),
    metadataOf(random),
    random.chance(0.93) ? readPicture(`cover-${book.id}`) : null,
    timestampText(
      (book.publishedAt ?? now) - random.int(100, 900) * day - random.int(0, 1400) * minute,
    ),
  ]);
  return { table: 'books', columns, rows };
}

const heroes = [
  'A retired surveyor',
  'The last postman of a flooded valley',
  'A girl who cannot lie',
  'A night-shift baker',
  'An interpreter at a border court',
  'The youngest of five clockmakers',
  'A botanist with a failing memory',
] as const;
const plots = [
  'comes back to a town that has changed its name',
  'finds a crate of letters addressed to nobody',
  'sets out to map every spring in the province',
  'inherits a theatre and the debts that go with it',
  'waits for a train that was taken off the timetable years ago',
  'learns the language of a country that no longer exists',
] as const;
const verdicts = [
  'A book about what we keep, and for whom.',
  'Funny, exact and never unkind.',
  'Prose as clear as well water.',
  'It asks for an evening and stays for years.',
  'The quietest thriller of the season.',
] as const;

function blurbOf(book: Book, random: Random): string {
  const translated = book.translator === undefined ? '' : ' Translated for the first time.';
  return `${random.pick(heroes)} ${random.pick(plots)}. ${random.pick(verdicts)}${translated}`;
}

function metadataOf(random: Random): string {
  const paper = random.pick(['Munken 90 g', 'recycled 80 g', 'bible paper'] as const);
  const size = { width: random.pick([11.5, 12.5, 13.5]), height: random.pick([18, 19, 21.5]) };
  const prizes = random.chance(0.2)
    ? [{ name: 'Golden Quill', year: random.int(2016, 2026), won: random.chance(0.4) }]
    : [];
  return JSON.stringify({
    typeface: random.pick(['Garamond', 'Sabon', 'Freight'] as const),
    paper,
    size,
    prizes,
  });
}

function contributorRows(books: readonly Book[], random: Random): TableRows {
  const columns = ['book_id', 'user_id', 'contribution', 'royalty', 'advance', 'signed_on'];
  const rows = books.flatMap((book) => {
    const signed = dateText((book.publishedAt ?? now) - random.int(200, 1200) * day);
    const advance = random.chance(0.7) ? price(random.int(4, 60) * 25_000) : null;
    const editor = random.int(2, 6);
    return [
      [
        book.id,
        book.author.id,
        'author',
        random.pick(['0.0800', '0.1000', '0.1250']),
        advance,
        signed,
      ],
      ...(book.translator === undefined
        ? []
        : [[book.id, book.translator.id, 'translator', '0.0250', null, signed]]),
      [book.id, editor, 'editor', '0.0000', null, null],
      ...(random.chance(0.15) ? [[book.id, editor, 'foreword', '0.0050', '350.00', signed]] : []),
    ];
  });
  return { table: 'contributors', columns, rows };
}

export function makeEditions(books: readonly Book[]): Edition[] {
  const random = createRandom('editions');
  return books.flatMap((book) => {
    const { publishedAt } = book;
    if (publishedAt === undefined) return [];
    return random.sample(formats, random.int(1, 4)).map((format, i) => {
      const isbn = isbnOf(book.id * 10 + i);
      const appeared = Math.min(publishedAt + i * random.int(0, 300) * day, now);
      return {
        isbn,
        book,
        format,
        priceInCents: random.pick(format.pricesInCents),
        publishedAt: appeared,
      };
    });
  });
}

/** A valid ISBN with a prefix that is not assigned to any publisher. */
function isbnOf(number: number): string {
  const digits = `9797${String(number * 7919).padStart(8, '0')}`;
  const sum = Array.from(digits).reduce(
    (total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function editionRows(editions: readonly Edition[], random: Random): TableRows {
  const columns = [
    'isbn',
    'book_id',
    'format_code',
    'price',
    'tax_rate',
    'currency',
    'weight_g',
    'published_on',
    'in_print',
  ];
  const rows = editions.map(({ isbn, book, format, priceInCents, publishedAt }) => {
    const currency = random.chance(0.88) ? 'EUR' : random.pick(['GBP', 'USD']);
    const weight = format.isDigital ? null : random.int(140, 980);
    const cost = price(priceInCents);
    return [
      isbn,
      book.id,
      format.code,
      cost,
      format.taxRate,
      currency,
      weight,
      dateText(publishedAt),
      random.chance(0.87),
    ];
  });
  return { table: 'editions', columns, rows };
}

const venues = [
  'Literaturhaus',
  'Librairie du Quai',
  'Βιβλιοπωλείο «Ο Πλάτανος»',
  'Книгарня «Є»',
  '本屋 青い鳥',
  'مقهى الورّاق',
  'Town Library',
  'The Old Fire Station',
  'Sala Beckett',
  'Kavárna Švanda',
  'קפה תמול',
  'किताब घर',
] as const;

function readingRows(books: readonly Book[], random: Random): TableRows {
  const columns = ['id', 'book_id', 'venue', 'city', 'day', 'starts_at', 'ticket_price', 'seats'];
  const published = books.filter((book) => book.publishedAt !== undefined);
  const rows = Array.from({ length: 90 }, (_, i) => {
    const book = random.pick(published);
    const on = dateText((book.publishedAt ?? now) + random.int(3, 400) * day);
    const startsAt = `${random.int(17, 20)}:${random.pick(['00', '15', '30'])}:00`;
    const ticket = random.chance(0.6) ? price(random.pick([500, 800, 1000, 1250])) : null;
    const city = random.pick(random.pick(cultures).cities);
    return [
      i + 1,
      book.id,
      random.pick(venues),
      city,
      on,
      startsAt,
      ticket,
      random.chance(0.8) ? random.int(2, 30) * 10 : null,
    ];
  });
  return { table: 'readings', columns, rows };
}
