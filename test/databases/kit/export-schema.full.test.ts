/** Every database that others made; export-schema.test.ts has the small ones. */
import { describeSamples } from './exported-samples.ts';

describeSamples(() => true);
