import type { Table } from '../model/schema.ts';
import {
  char,
  column,
  id,
  index,
  nullable,
  oneOf,
  references,
  table,
  type,
  unique,
  varchar,
  view,
} from './define.ts';

const posts = table('posts', {
  comment: 'The house’s journal; deleted posts are kept and hidden',
  columns: [
    id(),
    column('author_id', type.bigint),
    nullable('book_id', type.bigint, { comment: 'The book that it is about, if one' }),
    column('title', varchar(200)),
    column('slug', varchar(200)),
    column('language', char(2), { default: "'en'" }),
    column('body', type.text),
    nullable('excerpt', type.text, { comment: 'NULL: never written; empty: left out on purpose' }),
    column('status', varchar(10), { default: "'draft'" }),
    column('is_pinned', type.boolean, { default: 'FALSE' }),
    nullable('published_at', type.timestampWithZone),
    column('created_at', type.timestamp, { default: 'CURRENT_TIMESTAMP' }),
    column('updated_at', type.timestamp, { default: 'CURRENT_TIMESTAMP' }),
    nullable('deleted_at', type.timestamp),
  ],
  key: ['id'],
  indexes: [
    unique('posts', 'slug'),
    index('posts_author_id', [{ column: 'author_id' }]),
    index('posts_book_id', [{ column: 'book_id' }]),
    index(
      'posts_published_at',
      [{ column: 'published_at', descending: true }],
      'deleted_at IS NULL',
    ),
    index('posts_deleted_at', [{ column: 'deleted_at' }]),
  ],
  foreignKeys: [
    references('author_id', 'users.id', 'restrict'),
    references('book_id', 'books.id', 'set null'),
  ],
  checks: {
    status: oneOf('status', ['draft', 'published', 'archived']),
    published_at: "status <> 'published' OR published_at IS NOT NULL",
  },
  softDelete: { column: 'deleted_at', mode: 'time' },
});

const tags = table('tags', {
  columns: [id(), column('name', varchar(40)), column('color', char(7), { default: "'#888888'" })],
  key: ['id'],
  indexes: [unique('tags', 'name')],
  checks: { color: "color LIKE '#%' AND length(color) = 7" },
});

const postTags = table('post_tags', {
  columns: [column('post_id', type.bigint), column('tag_id', type.bigint)],
  key: ['post_id', 'tag_id'],
  indexes: [index('post_tags_tag_id', [{ column: 'tag_id' }])],
  foreignKeys: [
    references('post_id', 'posts.id', 'cascade'),
    references('tag_id', 'tags.id', 'cascade'),
  ],
});

const comments = table('comments', {
  comment: 'Threads: an answer points at what it answers',
  columns: [
    id(),
    column('post_id', type.bigint),
    nullable('parent_id', type.bigint),
    nullable('user_id', type.bigint, { comment: 'NULL for readers without an account' }),
    column('body', type.text),
    column('likes', type.smallint, { default: '0' }),
    column('created_at', type.timestampWithZone, { default: 'CURRENT_TIMESTAMP' }),
  ],
  key: ['id'],
  indexes: [
    index('comments_post_id', [{ column: 'post_id' }, { column: 'created_at' }]),
    index('comments_parent_id', [{ column: 'parent_id' }]),
    index('comments_user_id', [{ column: 'user_id' }]),
  ],
  foreignKeys: [
    references('post_id', 'posts.id', 'cascade'),
    references('parent_id', 'comments.id', 'cascade'),
    references('user_id', 'users.id', 'set null'),
  ],
  checks: { likes: 'likes >= 0' },
});

export const postTables: readonly Table[] = [posts, tags, postTags, comments];

const publishedPosts = view(
  'published_posts',
  [
    nullable('id', type.bigint),
    nullable('title', varchar(200)),
    nullable('author', type.text),
    nullable('book', varchar(160)),
    nullable('published_at', type.timestampWithZone),
    nullable('comment_count', type.bigint),
  ],
  `SELECT posts.id,
       posts.title,
       users.full_name AS author,
       books.title AS book,
       posts.published_at,
       (SELECT count(*) FROM comments WHERE comments.post_id = posts.id) AS comment_count
FROM posts
JOIN users ON users.id = posts.author_id
LEFT JOIN books ON books.id = posts.book_id
WHERE posts.status = 'published' AND posts.deleted_at IS NULL`,
);

export const postViews: readonly Table[] = [publishedPosts];
