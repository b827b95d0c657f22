import { serve } from '@hono/node-server';
import { createStudio } from 'database-studio';
import { Hono } from 'hono';

const studio = await createStudio({ url: process.env.DATABASE_URL ?? './shop.db', create: true });
const app = new Hono();

app.all('/studio/*', ({ req }) => studio.fetch(req.raw));
app.post('/echo', async (context) => context.json(await context.req.json()));

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' });
