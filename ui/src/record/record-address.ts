import { encodeSegment, decodeSegment } from '../../../src/model/row-id.ts';

/** The table and the id of a record. The id is already encoded for URL paths. */
export interface RecordAddress {
  readonly table: string;
  readonly id: string;
}

/** Formats an address for the page's URL, such as `posts/4608`. */
export function formatRecordAddress({ table, id }: RecordAddress): string {
  return `${encodeSegment(table)}/${id}`;
}

export function readRecord(text: string): RecordAddress | undefined {
  const slash = text.indexOf('/');
  return slash < 0
    ? undefined
    : { table: decodeSegment(text.slice(0, slash)), id: text.slice(slash + 1) };
}

/** Returns the number of a new row. Undefined for stored rows, whose ids never start with `+`. */
export function newRowNumber({ id }: RecordAddress): number | undefined {
  return id.startsWith('+') ? Number(id.slice(1)) : undefined;
}

export function newRecordAddress(table: string, number: number): RecordAddress {
  return { table, id: `+${number}` };
}
