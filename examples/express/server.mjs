import { createStudio } from 'database-studio';
import express from 'express';

const studio = await createStudio({ url: process.env.DATABASE_URL ?? './shop.db', create: true });
const app = express();

// Before body parsers: the studio reads bodies itself. Other paths go to the next handler.
app.use(studio.express);
app.use(express.json());
app.post('/echo', (request, response) => response.json(request.body));

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
