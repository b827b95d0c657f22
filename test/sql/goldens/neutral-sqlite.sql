CREATE TABLE "types" (
  "boolean" BOOLEAN,
  "int8" TINYINT,
  "int16" SMALLINT,
  "int24" MEDIUMINT,
  "int32" INT,
  "int64" INTEGER,
  "uint8" TINYINT UNSIGNED,
  "uint32" INT UNSIGNED,
  "uint64" INTEGER UNSIGNED,
  "decimal" DECIMAL,
  "decimal_10" DECIMAL(10),
  "decimal_10_2" DECIMAL(10,2),
  "float32" FLOAT4,
  "float64" REAL,
  "text" TEXT,
  "text_20" VARCHAR(20),
  "text_fixed" CHAR(2),
  "text_huge" VARCHAR(4294967295),
  "enum_named" TEXT,
  "enum_unnamed" TEXT,
  "set" TEXT,
  "uuid" UUID,
  "date" DATE,
  "time" TIME,
  "time_zone" TIMETZ(3),
  "timestamp" TIMESTAMP,
  "timestamp_3" TIMESTAMP(3),
  "timestamp_9" TIMESTAMP(9),
  "timestamp_zone" TIMESTAMPTZ,
  "interval" TEXT,
  "json" JSON,
  "json_binary" JSON,
  "binary" BLOB,
  "binary_16" BLOB(16),
  "bits" TEXT,
  "bits_varying" TEXT,
  "array" JSON,
  "untyped",
  "other" TEXT,
  CHECK ("enum_named" IN ('glad', 'it’s', 'o''clock')),
  CHECK ("enum_unnamed" IN ('a', 'b''c'))
);

CREATE TABLE "defaults" (
  "number" DECIMAL NOT NULL DEFAULT -12.50,
  "text" TEXT NOT NULL DEFAULT 'it''s (a) -- text',
  "flag" BOOLEAN NOT NULL DEFAULT TRUE,
  "nothing" TEXT DEFAULT NULL,
  "local" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "zoned" TIMESTAMPTZ NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%S+00:00', 'now')),
  "expression" INT NOT NULL DEFAULT (1 + 2),
  "looks_like_two" TEXT NOT NULL DEFAULT ('a' || 'b')
);

CREATE TABLE "places" (
  "id" INTEGER NOT NULL CONSTRAINT "places_pk" PRIMARY KEY AUTOINCREMENT,
  "country" CHAR(2) NOT NULL,
  "code" TEXT NOT NULL,
  "label" TEXT GENERATED ALWAYS AS (country || ' ' || code) STORED,
  "shout" TEXT GENERATED ALWAYS AS (upper(code)) VIRTUAL,
  "capital_id" INTEGER,
  CONSTRAINT "places_country_code" UNIQUE ("country", "code"),
  CONSTRAINT "places_code" CHECK (length(code) > 0),
  CHECK (id > 0),
  CONSTRAINT "places_capital" FOREIGN KEY ("capital_id") REFERENCES "places" ("id") ON UPDATE CASCADE ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE "guests" (
  "id" INTEGER NOT NULL,
  "country" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  CONSTRAINT "guests_last_visit" FOREIGN KEY ("country", "code", "id") REFERENCES "visits" ("country", "code", "guest_id")
);

CREATE TABLE "visits" (
  "country" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "guest_id" INTEGER NOT NULL,
  PRIMARY KEY ("country", "code", "guest_id"),
  FOREIGN KEY ("country", "code") REFERENCES "places" ("country", "code") ON DELETE RESTRICT,
  FOREIGN KEY ("code") REFERENCES "places" ("code"),
  FOREIGN KEY ("guest_id") REFERENCES "guests" ("id") ON UPDATE SET DEFAULT ON DELETE CASCADE
);

CREATE TABLE "old.papers" (
  "id" INTEGER NOT NULL,
  PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "places_code_unique" ON "places" ("code");

CREATE INDEX "places_mixed" ON "places" ("code" DESC, (lower(country))) WHERE capital_id IS NOT NULL;

CREATE VIEW "first_view" AS
SELECT id FROM places;

CREATE VIEW "second" AS
SELECT id FROM first_view;
