CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name VARCHAR(80) NOT NULL,
  email VARCHAR(120) NOT NULL UNIQUE,
  country CHAR(2)
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  ordered_on DATE NOT NULL,
  total DECIMAL(10, 2) NOT NULL CHECK (total >= 0)
);
INSERT INTO customers (id, name, email, country) VALUES
  (1, 'Ada Lovelace', 'ada@example.com', 'GB'),
  (2, 'Grace Hopper', 'grace@example.com', 'US'),
  (3, 'Emmy Noether', 'emmy@example.com', 'DE');
INSERT INTO orders (id, customer_id, ordered_on, total) VALUES
  (1, 1, '2026-01-15', 120.50),
  (2, 1, '2026-03-02', 30.00),
  (3, 2, '2026-03-20', 99.99),
  (4, 3, '2026-05-11', 12.00);
