CREATE TABLE "users" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "email" VARCHAR(120) NOT NULL,
  "given_name" VARCHAR(60) NOT NULL,
  "family_name" VARCHAR(60),
  "name_order" VARCHAR(6) NOT NULL DEFAULT 'given',
  "full_name" TEXT GENERATED ALWAYS AS (CASE name_order WHEN 'family' THEN coalesce(family_name || ' ', '') || given_name ELSE given_name || coalesce(' ' || family_name, '') END) STORED,
  "role" VARCHAR(20) NOT NULL DEFAULT 'author',
  "manager_id" INTEGER,
  "is_active" BOOLEAN NOT NULL DEFAULT TRUE,
  "created_at" TIMESTAMPTZ NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%S+00:00', 'now')),
  "last_seen_at" TIMESTAMPTZ,
  CONSTRAINT "users_email_key" UNIQUE ("email"),
  CONSTRAINT "users_role_check" CHECK (role IN ('publisher', 'editor', 'author', 'translator', 'designer', 'sales')),
  CONSTRAINT "users_name_order_check" CHECK (name_order IN ('given', 'family')),
  FOREIGN KEY ("manager_id") REFERENCES "users" ("id") ON DELETE RESTRICT
);

CREATE TABLE "profiles" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "user_id" INTEGER NOT NULL,
  "bio" TEXT NOT NULL DEFAULT '',
  "website" VARCHAR(200),
  "born_on" DATE,
  "city" VARCHAR(60) NOT NULL,
  "languages" JSON NOT NULL DEFAULT '[]',
  "settings" JSON NOT NULL DEFAULT '{}',
  "avatar" BLOB,
  "updated_at" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "profiles_user_id_key" UNIQUE ("user_id"),
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE
);

CREATE TABLE "subjects" (
  "code" VARCHAR(40) NOT NULL,
  "name" VARCHAR(80) NOT NULL,
  "parent_code" VARCHAR(40),
  PRIMARY KEY ("code"),
  FOREIGN KEY ("parent_code") REFERENCES "subjects" ("code") ON DELETE RESTRICT
);

CREATE TABLE "formats" (
  "code" VARCHAR(12) NOT NULL,
  "name" VARCHAR(40) NOT NULL,
  "is_digital" BOOLEAN NOT NULL DEFAULT FALSE,
  "tax_rate" DECIMAL(4,3) NOT NULL,
  PRIMARY KEY ("code"),
  CONSTRAINT "formats_code_check" CHECK (code IN ('hardcover', 'paperback', 'pocket', 'ebook', 'audiobook')),
  CONSTRAINT "formats_tax_rate_check" CHECK (tax_rate >= 0 AND tax_rate < 1)
);

CREATE TABLE "books" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "title" VARCHAR(160) NOT NULL,
  "subtitle" VARCHAR(160),
  "language" CHAR(2) NOT NULL,
  "subject_code" VARCHAR(40),
  "blurb" TEXT NOT NULL DEFAULT '',
  "page_count" SMALLINT NOT NULL,
  "rating" REAL,
  "first_published_on" DATE,
  "metadata" JSON NOT NULL DEFAULT '{}',
  "cover" BLOB,
  "created_at" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "books_page_count_check" CHECK (page_count > 0),
  CONSTRAINT "books_rating_check" CHECK (rating BETWEEN 1 AND 5),
  FOREIGN KEY ("subject_code") REFERENCES "subjects" ("code") ON DELETE SET NULL
);

CREATE TABLE "contributors" (
  "book_id" INTEGER NOT NULL,
  "user_id" INTEGER NOT NULL,
  "contribution" VARCHAR(20) NOT NULL,
  "royalty" DECIMAL(5,4) NOT NULL DEFAULT 0,
  "advance" DECIMAL(10,2),
  "signed_on" DATE,
  PRIMARY KEY ("book_id", "user_id", "contribution"),
  CONSTRAINT "contributors_contribution_check" CHECK (contribution IN ('author', 'translator', 'editor', 'illustrator', 'foreword')),
  CONSTRAINT "contributors_royalty_check" CHECK (royalty BETWEEN 0 AND 1),
  FOREIGN KEY ("book_id") REFERENCES "books" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT
);

CREATE TABLE "editions" (
  "isbn" CHAR(13) NOT NULL,
  "book_id" INTEGER NOT NULL,
  "format_code" VARCHAR(12) NOT NULL,
  "price" DECIMAL(8,2) NOT NULL,
  "tax_rate" DECIMAL(4,3) NOT NULL,
  "price_with_tax" DECIMAL(8,2) GENERATED ALWAYS AS (round(price * (1 + tax_rate), 2)) STORED,
  "currency" CHAR(3) NOT NULL DEFAULT 'EUR',
  "weight_g" SMALLINT,
  "published_on" DATE NOT NULL,
  "in_print" BOOLEAN NOT NULL DEFAULT TRUE,
  PRIMARY KEY ("isbn"),
  CONSTRAINT "editions_isbn_check" CHECK (length(isbn) = 13),
  CONSTRAINT "editions_price_check" CHECK (price >= 0),
  CONSTRAINT "editions_currency_check" CHECK (currency IN ('EUR', 'GBP', 'USD', 'JPY')),
  CONSTRAINT "editions_weight_check" CHECK (weight_g > 0),
  FOREIGN KEY ("book_id") REFERENCES "books" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("format_code") REFERENCES "formats" ("code") ON DELETE RESTRICT
);

CREATE TABLE "readings" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "book_id" INTEGER NOT NULL,
  "venue" VARCHAR(80) NOT NULL,
  "city" VARCHAR(60) NOT NULL,
  "day" DATE NOT NULL,
  "starts_at" TIME NOT NULL,
  "ticket_price" DECIMAL(6,2),
  "seats" SMALLINT,
  FOREIGN KEY ("book_id") REFERENCES "books" ("id") ON DELETE CASCADE
);

CREATE TABLE "posts" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "author_id" INTEGER NOT NULL,
  "book_id" INTEGER,
  "title" VARCHAR(200) NOT NULL,
  "slug" VARCHAR(200) NOT NULL,
  "language" CHAR(2) NOT NULL DEFAULT 'en',
  "body" TEXT NOT NULL,
  "excerpt" TEXT,
  "status" VARCHAR(10) NOT NULL DEFAULT 'draft',
  "is_pinned" BOOLEAN NOT NULL DEFAULT FALSE,
  "published_at" TIMESTAMPTZ,
  "created_at" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "deleted_at" TIMESTAMP,
  CONSTRAINT "posts_slug_key" UNIQUE ("slug"),
  CONSTRAINT "posts_status_check" CHECK (status IN ('draft', 'published', 'archived')),
  CONSTRAINT "posts_published_at_check" CHECK (status <> 'published' OR published_at IS NOT NULL),
  FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT,
  FOREIGN KEY ("book_id") REFERENCES "books" ("id") ON DELETE SET NULL
);

CREATE TABLE "tags" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "name" VARCHAR(40) NOT NULL,
  "color" CHAR(7) NOT NULL DEFAULT '#888888',
  CONSTRAINT "tags_name_key" UNIQUE ("name"),
  CONSTRAINT "tags_color_check" CHECK (color LIKE '#%' AND length(color) = 7)
);

CREATE TABLE "post_tags" (
  "post_id" INTEGER NOT NULL,
  "tag_id" INTEGER NOT NULL,
  PRIMARY KEY ("post_id", "tag_id"),
  FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("tag_id") REFERENCES "tags" ("id") ON DELETE CASCADE
);

CREATE TABLE "comments" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "post_id" INTEGER NOT NULL,
  "parent_id" INTEGER,
  "user_id" INTEGER,
  "body" TEXT NOT NULL,
  "likes" SMALLINT NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%S+00:00', 'now')),
  CONSTRAINT "comments_likes_check" CHECK (likes >= 0),
  FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("parent_id") REFERENCES "comments" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE SET NULL
);

CREATE TABLE "customers" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "name" VARCHAR(120) NOT NULL,
  "email" VARCHAR(160) NOT NULL,
  "phone" VARCHAR(30),
  "address" JSON NOT NULL,
  "newsletter" BOOLEAN,
  "customer_since" DATE NOT NULL,
  CONSTRAINT "customers_email_key" UNIQUE ("email")
);

CREATE TABLE "orders" (
  "id" INTEGER NOT NULL,
  "customer_id" INTEGER NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'open',
  "tracking" UUID NOT NULL,
  "ordered_at" TIMESTAMPTZ NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%S+00:00', 'now')),
  "shipped_on" DATE,
  "shipping_cost" DECIMAL(6,2) NOT NULL DEFAULT 0.00,
  "note" TEXT,
  PRIMARY KEY ("id"),
  CONSTRAINT "orders_tracking_key" UNIQUE ("tracking"),
  CHECK ("status" IN ('open', 'paid', 'shipped', 'delivered', 'cancelled', 'returned')),
  FOREIGN KEY ("customer_id") REFERENCES "customers" ("id") ON DELETE RESTRICT
);

CREATE TABLE "order_items" (
  "order_id" INTEGER NOT NULL,
  "line_number" SMALLINT NOT NULL,
  "isbn" CHAR(13) NOT NULL,
  "quantity" SMALLINT NOT NULL DEFAULT 1,
  "unit_price" DECIMAL(8,2) NOT NULL,
  "discount" DECIMAL(4,3) NOT NULL DEFAULT 0,
  "amount" DECIMAL(10,2) GENERATED ALWAYS AS (round(quantity * unit_price * (1 - discount), 2)) STORED,
  PRIMARY KEY ("order_id", "line_number"),
  CONSTRAINT "order_items_quantity_check" CHECK (quantity > 0),
  CONSTRAINT "order_items_discount_check" CHECK (discount >= 0 AND discount < 1),
  FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("isbn") REFERENCES "editions" ("isbn") ON DELETE RESTRICT
);

CREATE TABLE "events" (
  "occurred_at" TIMESTAMPTZ NOT NULL,
  "kind" VARCHAR(40) NOT NULL,
  "actor_id" INTEGER,
  "subject" VARCHAR(80),
  "duration_ms" REAL,
  "payload" JSON
);

CREATE INDEX "users_manager_id" ON "users" ("manager_id");

CREATE INDEX "users_lower_email" ON "users" ((lower(email)));

CREATE INDEX "books_lower_title" ON "books" ((lower(title)));

CREATE INDEX "books_subject_code" ON "books" ("subject_code");

CREATE INDEX "books_first_published_on" ON "books" ("first_published_on" DESC, "id");

CREATE INDEX "contributors_user_id" ON "contributors" ("user_id");

CREATE INDEX "editions_book_id" ON "editions" ("book_id");

CREATE INDEX "readings_book_id" ON "readings" ("book_id");

CREATE INDEX "posts_author_id" ON "posts" ("author_id");

CREATE INDEX "posts_book_id" ON "posts" ("book_id");

CREATE INDEX "posts_published_at" ON "posts" ("published_at" DESC) WHERE deleted_at IS NULL;

CREATE INDEX "posts_deleted_at" ON "posts" ("deleted_at");

CREATE INDEX "post_tags_tag_id" ON "post_tags" ("tag_id");

CREATE INDEX "comments_post_id" ON "comments" ("post_id", "created_at");

CREATE INDEX "comments_parent_id" ON "comments" ("parent_id");

CREATE INDEX "comments_user_id" ON "comments" ("user_id");

CREATE INDEX "orders_customer_id" ON "orders" ("customer_id", "ordered_at" DESC);

CREATE INDEX "orders_open" ON "orders" ("ordered_at") WHERE status = 'open';

CREATE INDEX "order_items_isbn" ON "order_items" ("isbn");

CREATE INDEX "events_occurred_at" ON "events" ("occurred_at" DESC);

CREATE VIEW "published_posts" AS
SELECT posts.id,
       posts.title,
       users.full_name AS author,
       books.title AS book,
       posts.published_at,
       (SELECT count(*) FROM comments WHERE comments.post_id = posts.id) AS comment_count
FROM posts
JOIN users ON users.id = posts.author_id
LEFT JOIN books ON books.id = posts.book_id
WHERE posts.status = 'published' AND posts.deleted_at IS NULL;

CREATE VIEW "book_sales" AS
SELECT books.id AS book_id,
       books.title,
       sum(order_items.quantity) AS copies,
       round(sum(order_items.amount), 2) AS revenue,
       max(orders.ordered_at) AS last_sold_at
FROM books
JOIN editions ON editions.book_id = books.id
JOIN order_items ON order_items.isbn = editions.isbn
JOIN orders ON orders.id = order_items.order_id
WHERE orders.status <> 'cancelled'
GROUP BY books.id, books.title;
