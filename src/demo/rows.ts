import { bookRows, makeBooks, makeEditions } from './books.ts';
import { orderRows } from './orders.ts';
import { makePeople, peopleRows } from './people.ts';
import { postRows } from './posts.ts';
import type { TableRows } from './table-rows.ts';

/** Generates the demo's rows, table by table, referenced tables first. The result is deterministic. */
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
