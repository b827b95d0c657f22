import { testAddressableRows } from './addressable-rows.ts';

testAddressableRows(20, {
  // Empty ranges, ranges that cannot be compared, and items that the server formats without quotes.
  postgres: [
    { type: 'tsvector', values: ["''", "'a'"] },
    { type: 'circle[]', values: ['\'{"<(1,2),3>"}\''] },
    { type: 'xml[]', values: ["'{<a/>}'"] },
    { type: 'hstore', values: ["''", "'a=>1'"] },
  ],
});
