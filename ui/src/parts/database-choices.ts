import { presentations } from '../../../src/databases/presentations.ts';

/** The databases whose SQL the studio reads and writes: the API's name and the title of each. */
export const databaseChoices: readonly (readonly [string, string])[] = presentations.map(
  ({ name, title }) => [name, title],
);
