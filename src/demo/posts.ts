import type { Book } from './books.ts';
import { day, minute, now, timestampText, zonedText } from './calendar.ts';
import { cultures } from './names.ts';
import { fullName, type Person } from './people.ts';
import { commentTexts, foreignPosts, postKinds, replyTexts, seasons, tagNames } from './prose.ts';
import { createRandom, type Random } from './random.ts';
import type { TableRows } from './table-rows.ts';

const postCount = 520;
const deletedShare = 0.08;

type PostStatus = 'draft' | 'published' | 'archived';

interface Post {
  readonly id: number;
  readonly title: string;
  readonly language: string;
  readonly body: string;
  /** The book that fills the templates of the post and its comments. */
  readonly subject: Book;
  /** The subject, if title or body name it. */
  readonly book: Book | undefined;
  readonly status: PostStatus;
  readonly createdAt: number;
  readonly publishedAt: number | undefined;
}

export function postRows(books: readonly Book[], people: readonly Person[]): TableRows[] {
  const posts = makePosts(books, createRandom('posts'));
  return [
    postsRows(posts, people),
    tagRows(createRandom('tags')),
    postTagRows(posts, createRandom('post tags')),
    commentRows(makeComments(posts, createRandom('comments')), people),
  ];
}

function makePosts(books: readonly Book[], random: Random): Post[] {
  const published = books.filter((book) => book.publishedAt !== undefined);
  return Array.from({ length: postCount }, (_, i) => {
    const book = random.pick(published);
    const text = random.chance(0.15) ? foreignText(book, random) : englishText(book, random);
    const createdAt =
      now - Math.round((postCount - i) * 3.5 * day) - random.int(0, 2 * 24 * 60) * minute;
    const status =
      // The newest posts are not published yet.
      i > postCount - 12
        ? 'draft'
        : random.pick([
            'published',
            'published',
            'published',
            'published',
            'archived',
            'draft',
          ] as const);
    const publishedAt =
      status === 'draft' ? undefined : createdAt + random.int(60, 3 * 24 * 60) * minute;
    const about = `${text.title} ${text.body}`.includes(book.title) ? book : undefined;
    return { id: i + 1, ...text, subject: book, book: about, status, createdAt, publishedAt };
  });
}

type PostText = Pick<Post, 'title' | 'language' | 'body'>;

function englishText(book: Book, random: Random): PostText {
  const kind = random.pick(postKinds);
  const sentences = splitIntoParagraphs(
    random.int(2, 4),
    random.sample(kind.sentences, random.int(5, 8)),
  );
  const body = [random.pick(kind.openings), ...sentences].join('\n\n');
  return {
    title: fill(random.pick(kind.titles), book, random),
    language: 'en',
    body: fill(body, book, random),
  };
}

function foreignText(book: Book, random: Random): PostText {
  const { language, titles, sentences } = random.pick(foreignPosts);
  const body = random
    .sample(sentences, random.int(3, sentences.length))
    .join(language === 'zh' || language === 'ja' ? '' : ' ');
  return {
    title: fill(random.pick(titles), book, random),
    language,
    body: fill(body, book, random),
  };
}

/** Splits sentences into the given number of paragraphs, in order. */
function splitIntoParagraphs(paragraphs: number, sentences: readonly string[]): string[] {
  const length = Math.ceil(sentences.length / paragraphs);
  return Array.from({ length: paragraphs }, (_, i) =>
    sentences.slice(i * length, (i + 1) * length).join(' '),
  ).filter((text) => text !== '');
}

function fill(text: string, book: Book, random: Random): string {
  const values: Readonly<Record<string, () => string>> = {
    book: () => book.title,
    author: () => fullName(book.author),
    city: () => random.pick(random.pick(cultures).cities),
    number: () => String(random.int(4, 99)),
    season: () => random.pick(seasons),
  };
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => values[name]?.() ?? slot);
}

function postsRows(posts: readonly Post[], people: readonly Person[]): TableRows {
  const random = createRandom('posts table');
  const columns = [
    'id',
    'author_id',
    'book_id',
    'title',
    'slug',
    'language',
    'body',
    'excerpt',
    'status',
    'is_pinned',
    'published_at',
    'created_at',
    'updated_at',
    'deleted_at',
  ];
  const slugs = new Set<string>();
  const rows = posts.map((post) => {
    const { id, title, language, body, book, status, createdAt, publishedAt } = post;
    const author = random.pick(people.slice(0, 60)).id;
    const excerpt = random.pick([null, '', body.split('\n\n')[0] ?? '', body.slice(0, 80)]);
    const updated = Math.min(now, createdAt + random.int(1, 40 * 24 * 60) * minute);
    const deleted = random.chance(deletedShare)
      ? timestampText(Math.min(now, updated + random.int(1, 90) * day))
      : null;
    const published = publishedAt === undefined ? null : zonedText(publishedAt);
    return [
      id,
      author,
      book?.id ?? null,
      title,
      freeSlug(title, slugs),
      language,
      body,
      excerpt,
      status,
      random.chance(0.03),
      published,
      timestampText(createdAt),
      timestampText(updated),
      deleted,
    ];
  });
  return { table: 'posts', columns, rows };
}

/** Keeps letters of all scripts, as modern URLs do. */
function freeSlug(title: string, takenSlugs: Set<string>): string {
  const base = title
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  let slug = base;
  for (let i = 2; takenSlugs.has(slug); i++) slug = `${base}-${i}`;
  takenSlugs.add(slug);
  return slug;
}

function tagRows(random: Random): TableRows {
  const color = (): string => `#${random.int(0x202020, 0xe0e0e0).toString(16)}`;
  return {
    table: 'tags',
    columns: ['id', 'name', 'color'],
    rows: tagNames.map((name, i) => [i + 1, name, color()]),
  };
}

function postTagRows(posts: readonly Post[], random: Random): TableRows {
  const ids = tagNames.map((_, i) => i + 1);
  const rows = posts.flatMap((post) =>
    random.sample(ids, random.int(0, 5)).map((tag) => [post.id, tag]),
  );
  return { table: 'post_tags', columns: ['post_id', 'tag_id'], rows };
}

interface Comment {
  readonly post: Post;
  readonly parent: Comment | null;
  readonly at: number;
}

const commentCount = 1500;
const replyShare = 0.45;

/** In chronological order, so that a reply comes after its parent comment. */
function makeComments(posts: readonly Post[], random: Random): Comment[] {
  const open = posts.filter((post) => post.publishedAt !== undefined);
  const comments: Comment[] = [];
  while (comments.length < commentCount) {
    const parent =
      comments.length > 50 && random.chance(replyShare) ? random.pick(comments.slice(-50)) : null;
    const post = parent?.post ?? random.pick(open);
    const at = Math.min(
      now,
      (parent?.at ?? post.publishedAt ?? now) + random.int(3, 5 * 24 * 60) * minute,
    );
    comments.push({ post, parent, at });
  }
  return comments.toSorted((a, b) => a.at - b.at);
}

function commentRows(comments: readonly Comment[], people: readonly Person[]): TableRows {
  const random = createRandom('comments table');
  const columns = ['id', 'post_id', 'parent_id', 'user_id', 'body', 'likes', 'created_at'];
  const ids = new Map<Comment | null, number>(comments.map((comment, i) => [comment, i + 1]));
  const rows = comments.map((comment) => {
    const { post, parent, at } = comment;
    const body = fill(
      random.pick<string>(parent === null ? commentTexts : replyTexts),
      post.subject,
      random,
    );
    const user = random.chance(0.8) ? random.pick(people).id : null;
    const likes = random.chance(0.5) ? 0 : random.int(1, 120);
    return [
      ids.get(comment) ?? null,
      post.id,
      ids.get(parent) ?? null,
      user,
      body,
      likes,
      zonedText(at),
    ];
  });
  return { table: 'comments', columns, rows };
}
