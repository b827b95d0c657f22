import { testAddressableRows } from './addressable-rows.ts';

testAddressableRows(20, {
  // Empty, without a comparison, and as items that the server writes without quotes.
  postgres: [
    { type: 'tsvector', values: ["''", "'a'"] },
    { type: 'circle[]', values: ['\'{"<(1,2),3>"}\''] },
    { type: 'xml[]', values: ["'{<a/>}'"] },
    { type: 'hstore', values: ["''", "'a=>1'"] },
  ],
});
