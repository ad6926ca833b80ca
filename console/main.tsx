import { z } from 'zod';
import './styles.css';

// The content policy allows no code made from text, and zod tries it when a schema is defined: all
// schemas are loaded after it is told not to.
z.config({ jitless: true });
await import('./app.tsx');
