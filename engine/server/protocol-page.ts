/**
 * The page's origin and what it may do, for the engine and for the desktop shell.
 */

/** Origin of the desktop shell's page. */
export const SHELL_ORIGIN = 'hearback://app';

/**
 * What the page may do. Styles may stand inline because the waveform brings its own in its shadow tree; scripts may not. `engines`: addresses of
 * sockets for a page that does not come from the engine itself.
 */
export const contentPolicy = (...engines: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self' blob:",
    ["connect-src 'self'", ...engines].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
