export { runEndable, timeoutError } from '../end-statement.ts';
export type { Endable } from '../end-statement.ts';
