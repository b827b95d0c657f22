import type { Schema } from '../model/schema.ts';
import { bookTables, bookViews } from './book-tables.ts';
import { peopleTables } from './people-tables.ts';
import { orderStatus, orderTables } from './order-tables.ts';
import { postTables, postViews } from './post-tables.ts';

/** Part of the demo's file name. Increment it with every change of the demo's structure or rows. */
export const demoVersion = 1;

/**
 * The demo's structure: a small publishing house. It is database-independent, including expressions
 * (see `DdlDialect`). Referenced tables come first.
 */
export const demoSchema: Schema = {
  database: 'demo',
  serverVersion: '',
  tables: [...peopleTables, ...bookTables, ...postTables, ...orderTables],
  views: [...postViews, ...bookViews],
  enums: [orderStatus],
};
