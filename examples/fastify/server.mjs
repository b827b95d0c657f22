import { createStudio } from 'database-studio';
import fastify from 'fastify';

const studio = await createStudio({ url: process.env.DATABASE_URL ?? './shop.db', create: true });
const app = fastify();

await app.register(studio.fastify);
app.post('/echo', async (request) => request.body);

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
