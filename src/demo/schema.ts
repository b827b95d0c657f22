import type { Schema } from '../model/schema.ts';
import { bookTables, bookViews } from './book-tables.ts';
import { peopleTables } from './people-tables.ts';
import { orderStatus, orderTables } from './order-tables.ts';
import { postTables, postViews } from './post-tables.ts';

/** Goes up with every change of the demo's structure or rows: the number in its file's name. */
export const demoVersion = 1;

/**
 * The demo's structure: a small publishing house. Neutral, its expressions too (see `DdlDialect`),
 * so that any database can be made to hold it; referenced tables come first.
 */
export const demoSchema: Schema = {
  database: 'demo',
  serverVersion: '',
  tables: [...peopleTables, ...bookTables, ...postTables, ...orderTables],
  views: [...postViews, ...bookViews],
  enums: [orderStatus],
};
