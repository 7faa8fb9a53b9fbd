/** Small line drawings for buttons; always beside or instead of a word that is in the label. */
import type { ReactNode } from 'react';

const PATHS = {
  play: <path d="M5 3.2v9.6l8-4.8Z" fill="currentColor" stroke="none" />,
  pause: <path d="M4.5 3.5h2.4v9H4.5zM9.1 3.5h2.4v9H9.1z" fill="currentColor" stroke="none" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" stroke="none" />,
  follow: <path d="M8 2.5v9M4.5 8 8 11.5 11.5 8M3.5 14h9" />,
  hold: <path d="M5.5 3v10M10.5 3v10" />,
  microphone: <path d="M8 1.8a2 2 0 0 1 2 2v3.7a2 2 0 0 1-4 0V3.8a2 2 0 0 1 2-2ZM3.8 7.5a4.2 4.2 0 0 0 8.4 0M8 11.7v2.5" />,
  file: <path d="M9 1.8H4.3a.8.8 0 0 0-.8.8v10.8c0 .4.4.8.8.8h7.4c.4 0 .8-.4.8-.8V5.3ZM9 1.8v3.5h3.5" />,
  plug: <path d="M5.8 1.8v3.4M10.2 1.8v3.4M3.8 5.2h8.4v2.3a4.2 4.2 0 0 1-8.4 0ZM8 11.7v2.5" />,
  sound: <path d="M2.5 6.2v3.6h2.3L8 12.6V3.4L4.8 6.2ZM10.3 5.9a3 3 0 0 1 0 4.2M12.2 4.2a5.4 5.4 0 0 1 0 7.6" />,
  muted: <path d="M2.5 6.2v3.6h2.3L8 12.6V3.4L4.8 6.2ZM10.5 6.2l3.5 3.6M14 6.2l-3.5 3.6" />,
  sun: <path d="M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1" />,
  moon: <path d="M12.8 9.7A5.4 5.4 0 0 1 6.3 3.2a5.4 5.4 0 1 0 6.5 6.5Z" />,
  help: <path d="M5.8 6.2a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.5M8 12.3v.1" />,
  close: <path d="M4 4l8 8M12 4l-8 8" />,
  next: <path d="M6 3.5 10.5 8 6 12.5" />,
  previous: <path d="M10 3.5 5.5 8 10 12.5" />,
  check: <path d="M3.5 8.4 6.6 11.5 12.5 4.8" />,
  edit: <path d="M10.8 2.8l2.4 2.4-7.6 7.6-3 .6.6-3Z" />,
  trash: <path d="M3 4.5h10M6.3 4.5V3h3.4v1.5M4.3 4.5l.6 8.7h6.2l.6-8.7" />,
  undo: <path d="M5.5 3 2.8 5.7l2.7 2.7M3 5.7h6.2a3.6 3.6 0 0 1 0 7.2H6" />,
  note: <path d="M3 3h10v7l-3 3H3ZM10 13v-3h3M5.5 6h5M5.5 8.5h3" />,
  export: <path d="M8 10V2.5M5 5.3 8 2.3l3 3M3 9.5v3.7h10V9.5" />,
  again: <path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.3v2.6h-2.6" />,
  search: <path d="M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4ZM10.2 10.2l3.3 3.3" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
      {PATHS[name]}
    </svg>
  );
}
