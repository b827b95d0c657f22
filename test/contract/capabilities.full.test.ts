import { testCapabilities } from './capabilities.ts';

testCapabilities({ runs: 16, perRoute: Infinity });
