import { vi } from 'vitest';
import { testReadOnly } from './read-only-postgres.ts';

/** The long variant of 04-read-only-generated-postgres.ci.test.ts, for `npm run test:full`. */
vi.setConfig({ testTimeout: 1_800_000 });

testReadOnly({ numRuns: 300 });
