/** The position of a request in a distributed trace: https://www.w3.org/TR/trace-context/#traceparent-header */

declare const checked: unique symbol;

/** A header value that was checked: it consists of hexadecimal digits and dashes only. */
export type Traceparent = string & { readonly [checked]: true };

const form = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Undefined if the text is not exactly of the form, whose identifiers are not zero. */
export function readTraceparent(text: string | null | undefined): Traceparent | undefined {
  return typeof text === 'string' && form.test(text) ? (text as Traceparent) : undefined;
}

const traceIdStart = 3;
const traceIdLength = 32;

export function traceIdOf(traceparent: Traceparent): string {
  return traceparent.slice(traceIdStart, traceIdStart + traceIdLength);
}
