import { bookRows, makeBooks, makeEditions } from './books.ts';
import { orderRows } from './orders.ts';
import { makePeople, peopleRows } from './people.ts';
import { postRows } from './posts.ts';
import type { TableRows } from './table-rows.ts';

/** The demo's rows, table by table, referenced ones first: the same every time. */
export function demoRows(): TableRows[] {
  const people = makePeople();
  const books = makeBooks(people);
  const editions = makeEditions(books);
  return [
    ...peopleRows(people),
    ...bookRows(books, editions),
    ...postRows(books, people),
    ...orderRows(editions),
  ];
}
