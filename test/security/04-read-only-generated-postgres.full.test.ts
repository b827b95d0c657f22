import { testReadOnly } from './read-only-postgres.ts';

testReadOnly(300);
