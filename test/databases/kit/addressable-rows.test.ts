import { testAddressableRows } from './addressable-rows.ts';

testAddressableRows({
  tables: 20,
  always: {
    // Documents that differ only in how they are written.
    sqlite: [{ type: 'JSON', values: ["'[]'", "'[ ]'", "'[1.0]'", "'[1]'", "'x'"] }],
    // Empty ranges, ranges that cannot be compared, and items that the server formats without quotes.
    postgres: [
      { type: 'tsvector', values: ["''", "'a'"] },
      { type: 'circle[]', values: ['\'{"<(1,2),3>"}\''] },
      { type: 'xml[]', values: ["'{<a/>}'"] },
      { type: 'hstore', values: ["''", "'a=>1'"] },
    ],
  },
});
