/** The page of the app: the same in a browser and in the desktop window. */
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { App } from './app.js';
import './app.css';

// the page's content security policy allows no code made from text
config({ jitless: true });

const root = document.getElementById('app');
if (root !== null) createRoot(root).render(<App />);
