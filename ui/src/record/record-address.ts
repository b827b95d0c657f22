import { encodeSegment, decodeSegment } from '../../../src/model/row-id.ts';

/** A record by its table and its id, which is ready for a path. */
export interface RecordAddress {
  readonly table: string;
  readonly id: string;
}

/** `posts/4608`, as the address bar holds it. */
export function writeRecord({ table, id }: RecordAddress): string {
  return `${encodeSegment(table)}/${id}`;
}

export function readRecord(text: string): RecordAddress | undefined {
  const cut = text.indexOf('/');
  return cut < 0
    ? undefined
    : { table: decodeSegment(text.slice(0, cut)), id: text.slice(cut + 1) };
}

/** Of a row that is only staged; no id of a stored one begins so. */
export function newRowNumber({ id }: RecordAddress): number | undefined {
  return id.startsWith('+') ? Number(id.slice(1)) : undefined;
}

export function newRecordAddress(table: string, number: number): RecordAddress {
  return { table, id: `+${number}` };
}
