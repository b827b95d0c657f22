import { createStudio } from 'database-studio';
import Koa from 'koa';

const studio = await createStudio({ url: process.env.DATABASE_URL ?? './shop.db', create: true });
const app = new Koa();

// Before body parsers: the studio reads bodies itself.
app.use(async (context, next) => {
  if (!/^\/studio(\/|$)/.test(context.path)) return next();
  context.respond = false;
  return studio.node(context.req, context.res);
});
app.use(async (context) => {
  const chunks = await context.req.toArray();
  context.type = 'json';
  context.body = Buffer.concat(chunks);
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
