/** Every sample database; export-schema.ci.test.ts covers the small ones. */
import { describeSamples } from './exported-samples.ts';

describeSamples(() => true);
