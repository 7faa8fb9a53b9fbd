/** In place of Node's worker_threads, which a page does not have. */
export {};
