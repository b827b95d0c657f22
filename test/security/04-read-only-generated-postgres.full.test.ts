import { vi } from 'vitest';
import { testReadOnly } from './read-only-postgres.ts';

vi.setConfig({ testTimeout: 1_800_000 });

testReadOnly({ numRuns: 300 });
