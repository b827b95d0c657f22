import type { Table } from '../model/schema.ts';
import {
  char,
  column,
  decimal,
  generated,
  id,
  index,
  nullable,
  oneOf,
  references,
  table,
  type,
  varchar,
  view,
} from './define.ts';

const subjects = table('subjects', {
  comment: 'What a book is about; the codes are texts and hold whatever a shelf label holds',
  columns: [
    column('code', varchar(40)),
    column('name', varchar(80)),
    nullable('parent_code', varchar(40)),
  ],
  key: ['code'],
  foreignKeys: [references('parent_code', 'subjects.code', 'restrict')],
});

const formats = table('formats', {
  comment: 'The forms that a book is sold in',
  columns: [
    column('code', varchar(12)),
    column('name', varchar(40)),
    column('is_digital', type.boolean, { default: 'FALSE' }),
    column('tax_rate', decimal(4, 3), { comment: 'Rate that new editions start with' }),
  ],
  key: ['code'],
  checks: {
    code: oneOf('code', ['hardcover', 'paperback', 'pocket', 'ebook', 'audiobook']),
    tax_rate: 'tax_rate >= 0 AND tax_rate < 1',
  },
});

const books = table('books', {
  columns: [
    id(),
    column('title', varchar(160)),
    nullable('subtitle', varchar(160)),
    column('language', char(2), { comment: 'ISO 639-1 code of the original' }),
    nullable('subject_code', varchar(40)),
    column('blurb', type.text, { default: "''" }),
    column('page_count', type.smallint),
    nullable('rating', type.double, { comment: 'Mean of readers’ ratings, 1 to 5' }),
    nullable('first_published_on', type.date, { comment: 'NULL while it is in the making' }),
    column('metadata', type.json, { default: "'{}'" }),
    nullable('cover', type.binary, { comment: 'PNG, 48 × 72' }),
    column('created_at', type.timestamp, { default: 'CURRENT_TIMESTAMP' }),
  ],
  key: ['id'],
  indexes: [
    index('books_lower_title', [{ expression: 'lower(title)' }]),
    index('books_subject_code', [{ column: 'subject_code' }]),
    index('books_first_published_on', [
      { column: 'first_published_on', descending: true },
      { column: 'id' },
    ]),
  ],
  foreignKeys: [references('subject_code', 'subjects.code', 'set null')],
  checks: { page_count: 'page_count > 0', rating: 'rating BETWEEN 1 AND 5' },
});

const contributors = table('contributors', {
  comment: 'Who made a book, as what, and for which share',
  columns: [
    column('book_id', type.bigint),
    column('user_id', type.bigint),
    column('contribution', varchar(20)),
    column('royalty', decimal(5, 4), { default: '0' }),
    nullable('advance', decimal(10, 2)),
    nullable('signed_on', type.date),
  ],
  key: ['book_id', 'user_id', 'contribution'],
  indexes: [index('contributors_user_id', [{ column: 'user_id' }])],
  foreignKeys: [
    references('book_id', 'books.id', 'cascade'),
    references('user_id', 'users.id', 'restrict'),
  ],
  checks: {
    contribution: oneOf('contribution', [
      'author',
      'translator',
      'editor',
      'illustrator',
      'foreword',
    ]),
    royalty: 'royalty BETWEEN 0 AND 1',
  },
});

const editions = table('editions', {
  columns: [
    column('isbn', char(13), { comment: 'Thirteen digits and yet a text' }),
    column('book_id', type.bigint),
    column('format_code', varchar(12)),
    column('price', decimal(8, 2)),
    column('tax_rate', decimal(4, 3)),
    generated('price_with_tax', decimal(8, 2), 'round(price * (1 + tax_rate), 2)'),
    column('currency', char(3), { default: "'EUR'" }),
    nullable('weight_g', type.smallint, { comment: 'NULL where nothing is shipped' }),
    column('published_on', type.date),
    column('in_print', type.boolean, { default: 'TRUE' }),
  ],
  key: ['isbn'],
  indexes: [index('editions_book_id', [{ column: 'book_id' }])],
  foreignKeys: [
    references('book_id', 'books.id', 'cascade'),
    references('format_code', 'formats.code', 'restrict'),
  ],
  checks: {
    isbn: 'length(isbn) = 13',
    price: 'price >= 0',
    currency: oneOf('currency', ['EUR', 'GBP', 'USD', 'JPY']),
    weight: 'weight_g > 0',
  },
});

const readings = table('readings', {
  comment: 'Evenings at which a book is read from; day and time are those of the place',
  columns: [
    id(),
    column('book_id', type.bigint),
    column('venue', varchar(80)),
    column('city', varchar(60)),
    column('day', type.date),
    column('starts_at', type.time),
    nullable('ticket_price', decimal(6, 2), { comment: 'NULL where entry is free' }),
    nullable('seats', type.smallint),
  ],
  key: ['id'],
  indexes: [index('readings_book_id', [{ column: 'book_id' }])],
  foreignKeys: [references('book_id', 'books.id', 'cascade')],
});

export const bookTables: readonly Table[] = [
  subjects,
  formats,
  books,
  contributors,
  editions,
  readings,
];

const bookSales = view(
  'book_sales',
  [
    nullable('book_id', type.bigint),
    nullable('title', varchar(160)),
    nullable('copies', type.bigint),
    nullable('revenue', decimal(12, 2)),
    nullable('last_sold_at', type.timestampWithZone),
  ],
  `SELECT books.id AS book_id,
       books.title,
       sum(order_items.quantity) AS copies,
       round(sum(order_items.amount), 2) AS revenue,
       max(orders.ordered_at) AS last_sold_at
FROM books
JOIN editions ON editions.book_id = books.id
JOIN order_items ON order_items.isbn = editions.isbn
JOIN orders ON orders.id = order_items.order_id
WHERE orders.status <> 'cancelled'
GROUP BY books.id, books.title`,
);

export const bookViews: readonly Table[] = [bookSales];
