import { testRandomRoundTrips } from './random-round-trip.ts';

testRandomRoundTrips(60);
