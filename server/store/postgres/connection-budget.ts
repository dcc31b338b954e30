/* Limits the database connections of all processes of a service, so that they do not exceed the server's max_connections. */

/** Read connections of a process without workers. PAGE_READERS come in addition. */
export const READERS = 10
/** Connections for the threads that make large pages. Other calls cannot use them. */
export const PAGE_READERS = 2
/** Maximum number of read connections of all workers together. A database server with a few cores cannot use more at once. */
const WORKERS_SHARE = 48
/**
 * Further connections of a process for each network: the writer, the metadata fetcher, and short-lived connections that cancel statements and check the
 * writer.
 */
const BESIDE = 4
export const KEY_READERS = 4
/** Connections that are left for administrators, other programs and the server itself. */
const SPARE = 16

/** Minimum number of read connections of a worker. PAGE_READERS come in addition. */
const LEAST = 2

/** Read connections of one worker to the database of one network. PAGE_READERS come in addition. */
export const readersOf = (workers: number, networks: number): number =>
  workers === 1 ? READERS : Math.max(LEAST, Math.min(READERS, Math.floor(WORKERS_SHARE / (workers * networks)) - PAGE_READERS))

export const connectionsFor = (workers: number, networks: number): number =>
  workers * (networks * (readersOf(workers, networks) + PAGE_READERS + BESIDE) + KEY_READERS) + SPARE
