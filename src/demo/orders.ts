import { price, type Edition } from './books.ts';
import { day, dateText, minute, now, timestampText, zonedText } from './calendar.ts';
import { cultures, type Culture } from './names.ts';
import type { orderStatus } from './order-tables.ts';
import { createRandom, itemAt, type Random } from './random.ts';
import type { TableRows } from './table-rows.ts';

const customerCount = 240;
const orderCount = 700;
const eventCount = 1000;

/** The smallest integer that a double cannot represent. Ids increase by even steps, so none of them is representable. */
const firstOrderId = 9_007_199_254_740_993n;

type Status = (typeof orderStatus.values)[number];

interface Order {
  readonly id: bigint;
  readonly customerId: number;
  readonly status: Status;
  readonly orderedAt: number;
}

export function orderRows(editions: readonly Edition[]): TableRows[] {
  const orders = makeOrders(createRandom('orders'));
  return [
    customerRows(createRandom('customers')),
    ordersRows(orders, createRandom('orders table')),
    itemRows(orders, editions),
    eventRows(editions, createRandom('events')),
  ];
}

const shops = [
  'Buchhandlung am Kornmarkt',
  'Librería La Central',
  'Βιβλιοπωλείο Πολιτεία',
  'Книгарня «Сенс»',
  '誠品書店 (sample)',
  '紀伊國屋',
  'مكتبة المدينة',
  'ספרים ברחוב',
  'पुस्तक भवन',
  'Kirjakauppa Ääni',
  'Bøker & Børst',
  'Księgarnia pod Żurawiem',
] as const;
const streets = [
  'Mill Lane',
  'Hafenstraße',
  'Rue des Écluses',
  'Calle Ñandú',
  'ul. Łąkowa',
  'Οδός Ερμού',
  'вул. Садова',
  '中山路',
  'शांति पथ',
] as const;

function customerRows(random: Random): TableRows {
  const columns = ['id', 'name', 'email', 'phone', 'address', 'newsletter', 'customer_since'];
  const rows = Array.from({ length: customerCount }, (_, i) => {
    const culture = itemAt(cultures, i);
    const name = random.chance(0.12) ? random.pick(shops) : personName(culture, random);
    const phone = random.pick([null, '', phoneNumber(random), phoneNumber(random)]);
    const newsletter = random.pick([true, false, null]);
    const since = dateText(now - random.int(700, 3000) * day);
    return [
      i + 1,
      name,
      `customer${i + 1}@mail.example`,
      phone,
      addressOf(culture, random),
      newsletter,
      since,
    ];
  });
  return { table: 'customers', columns, rows };
}

function personName({ given, family, familyFirst }: Culture, random: Random): string {
  const [first = ''] = random.pick(given).split('|');
  if (family.length === 0) return first;
  const [last = ''] = random.pick(family).split('|');
  return familyFirst === true ? `${last} ${first}` : `${first} ${last}`;
}

function phoneNumber(random: Random): string {
  return `+${random.int(30, 99)} ${random.int(10, 999)} 555 ${String(random.int(0, 9999)).padStart(4, '0')}`;
}

function addressOf(culture: Culture, random: Random): string {
  const postcode = String(random.int(1000, 99_999)).padStart(5, '0');
  const street = `${random.pick(streets)} ${random.int(1, 140)}`;
  return JSON.stringify({
    street,
    city: random.pick(culture.cities),
    postcode,
    floor: random.pick([null, null, random.int(1, 9)]),
  });
}

/** In chronological order. Ages are random, between 30 minutes and 690 days. */
function makeOrders(random: Random): Order[] {
  const ages = Array.from({ length: orderCount }, () => random.int(30, 690 * 24 * 60)).toSorted(
    (a, b) => b - a,
  );
  let id = firstOrderId;
  return ages.map((age) => {
    const order = {
      id,
      customerId: random.int(1, customerCount),
      status: statusAt(age, random),
      orderedAt: now - age * minute,
    };
    id += BigInt(random.int(1, 60) * 2);
    return order;
  });
}

function statusAt(ageMinutes: number, random: Random): Status {
  if (random.chance(0.05)) return 'cancelled';
  const days = (ageMinutes * minute) / day;
  if (days < 2) return random.pick(['open', 'paid']);
  if (days < 6) return random.pick(['paid', 'shipped']);
  return random.chance(0.04) ? 'returned' : 'delivered';
}

const notes = [
  '',
  'Please leave with the neighbour 🏡',
  'Gift wrapping, no invoice in the parcel',
  '領収書をお願いします',
  'Bitte klingeln: 2× kurz',
  'اتركه عند البواب من فضلك',
  'Fragile — first edition!',
  "It's for O'Neill; floor 3\\4",
  'line one\nline two',
  '<b>urgent</b> & "quoted"',
] as const;

function ordersRows(orders: readonly Order[], random: Random): TableRows {
  const columns = [
    'id',
    'customer_id',
    'status',
    'tracking',
    'ordered_at',
    'shipped_on',
    'shipping_cost',
    'note',
  ];
  const rows = orders.map(({ id, customerId, status, orderedAt }) => {
    const shipped = ['shipped', 'delivered', 'returned'].includes(status);
    const shippedOn = shipped ? dateText(orderedAt + random.int(1, 2) * day) : null;
    const cost = random.pick(['0.00', '3.90', '4.50', '12.00']);
    const note = random.chance(0.3) ? random.pick(notes) : null;
    return [id, customerId, status, uuid(random), zonedText(orderedAt), shippedOn, cost, note];
  });
  return { table: 'orders', columns, rows };
}

/** A random UUID (version 4). */
function uuid(random: Random): string {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random.int(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`;
}

function itemRows(orders: readonly Order[], editions: readonly Edition[]): TableRows {
  const random = createRandom('order items');
  const columns = ['order_id', 'line_number', 'isbn', 'quantity', 'unit_price', 'discount'];
  const rows = orders.flatMap((order) => {
    const available = editions.filter((edition) => edition.publishedAt < order.orderedAt);
    return Array.from({ length: random.pick([1, 1, 2, 2, 3, 5]) }, (_, i) => [
      order.id,
      i + 1,
      ...itemOf(random.pick(available), random),
    ]);
  });
  return { table: 'order_items', columns, rows };
}

function itemOf({ isbn, priceInCents }: Edition, random: Random): [string, number, string, string] {
  const quantity = random.pick([1, 1, 1, 1, 2, 2, 3, 10, 25]);
  const discount = quantity >= 10 ? 333 : random.pick([0, 0, 0, 100, 50]);
  const exact = endsInHalfACent(quantity * priceInCents, discount) ? 0 : discount;
  return [isbn, quantity, price(priceInCents), `0.${String(exact).padStart(3, '0')}`];
}

/** Avoids half cents, which databases round differently (see the prices of books). */
function endsInHalfACent(cents: number, discountInThousandths: number): boolean {
  return (cents * (1000 - discountInThousandths)) % 1000 === 500;
}

const eventKinds = [
  'page_view',
  'search',
  'sign_in',
  'sign_in_failed',
  'book_exported',
  'price_changed',
  'import_finished',
] as const;
type EventKind = (typeof eventKinds)[number];

function eventRows(editions: readonly Edition[], random: Random): TableRows {
  const columns = ['occurred_at', 'kind', 'actor_id', 'subject', 'duration_ms', 'payload'];
  const rows = Array.from({ length: eventCount }, (_, i) => {
    const kind = random.pick(eventKinds);
    const occurred = zonedText(now - (eventCount - i) * 37 * minute - random.int(0, 30) * minute);
    const actor = random.chance(0.8) ? random.int(1, 170) : null;
    const duration = random.chance(0.85) ? random.int(2, 900_000) / 1000 : null;
    return [
      occurred,
      kind,
      actor,
      subjectOf(kind, random.pick(editions), random),
      duration,
      payloadOf(kind, random),
    ];
  });
  return { table: 'events', columns, rows };
}

const searches = [
  'dictionary',
  'мова',
  '雨',
  'שקט',
  '50% off',
  "d'Arcy",
  'naïve',
  'بحر',
  '100_000',
  '',
] as const;

function subjectOf(kind: EventKind, { isbn, book }: Edition, random: Random): string | null {
  if (kind === 'search') return random.pick(searches);
  if (kind === 'page_view') return `/books/${book.id}`;
  return kind === 'price_changed' || kind === 'book_exported' ? isbn : null;
}

function payloadOf(kind: EventKind, random: Random): string | null {
  if (kind === 'page_view') return null;
  if (kind === 'price_changed')
    return `{"from": 12.90, "to": 13.00, "by": {"order": ${firstOrderId}}}`;
  const at = timestampText(now - random.int(1, 900) * day);
  return JSON.stringify({
    ok: random.chance(0.9),
    hits: random.int(0, 40),
    since: at,
    flags: random.sample(['a', 'b', 'é', '雨'], 2),
  });
}
