import type { EnumType, Table } from '../model/schema.ts';
import {
  column,
  decimal,
  generated,
  id,
  index,
  nullable,
  references,
  table,
  type,
  unique,
  varchar,
} from './define.ts';

export const orderStatus = {
  name: 'order_status',
  values: ['open', 'paid', 'shipped', 'delivered', 'cancelled', 'returned'],
} as const satisfies EnumType;

const customers = table('customers', {
  columns: [
    id(),
    column('name', varchar(120)),
    column('email', varchar(160)),
    nullable('phone', varchar(30), { comment: 'NULL: never asked; empty: has none' }),
    column('address', type.json),
    nullable('newsletter', type.boolean, { comment: 'NULL: has not decided yet' }),
    column('customer_since', type.date),
  ],
  key: ['id'],
  indexes: [unique('customers', 'email')],
});

const orders = table('orders', {
  comment: 'The ids are those of the shop system: beyond what a double can tell apart',
  columns: [
    column('id', type.bigint),
    column('customer_id', type.bigint),
    column(
      'status',
      { kind: 'enum', name: orderStatus.name, values: orderStatus.values },
      { default: "'open'" },
    ),
    column('tracking', type.uuid),
    column('ordered_at', type.timestampWithZone, { default: 'CURRENT_TIMESTAMP' }),
    nullable('shipped_on', type.date),
    column('shipping_cost', decimal(6, 2), { default: '0.00' }),
    nullable('note', type.text),
  ],
  key: ['id'],
  indexes: [
    unique('orders', 'tracking'),
    index('orders_customer_id', [
      { column: 'customer_id' },
      { column: 'ordered_at', descending: true },
    ]),
    index('orders_open', [{ column: 'ordered_at' }], "status = 'open'"),
  ],
  foreignKeys: [references('customer_id', 'customers.id', 'restrict')],
});

const orderItems = table('order_items', {
  columns: [
    column('order_id', type.bigint),
    column('line_number', type.smallint),
    column('isbn', { kind: 'text', length: 13, fixed: true }),
    column('quantity', type.smallint, { default: '1' }),
    column('unit_price', decimal(8, 2)),
    column('discount', decimal(4, 3), {
      default: '0',
      comment: 'Share of the price: 0.100 is ten per cent',
    }),
    generated('amount', decimal(10, 2), 'round(quantity * unit_price * (1 - discount), 2)'),
  ],
  key: ['order_id', 'line_number'],
  indexes: [index('order_items_isbn', [{ column: 'isbn' }])],
  foreignKeys: [
    references('order_id', 'orders.id', 'cascade'),
    references('isbn', 'editions.isbn', 'restrict'),
  ],
  checks: { quantity: 'quantity > 0', discount: 'discount >= 0 AND discount < 1' },
});

const events = table('events', {
  comment: 'What happened, as it came in: a log without a key',
  columns: [
    column('occurred_at', type.timestampWithZone),
    column('kind', varchar(40)),
    nullable('actor_id', type.bigint, { comment: 'No foreign key: the log outlives its users' }),
    nullable('subject', varchar(80)),
    nullable('duration_ms', type.double),
    nullable('payload', type.json),
  ],
  indexes: [index('events_occurred_at', [{ column: 'occurred_at', descending: true }])],
});

export const orderTables: readonly Table[] = [customers, orders, orderItems, events];
