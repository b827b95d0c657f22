import { testCapabilities } from './capabilities.ts';

testCapabilities({ runs: 2, perRoute: 1 });
