/* How many database connections the processes of a service use, so that the server's max_connections is not exceeded. */

/** Read connections of one process that serves alone, besides those for large pages. */
export const READERS = 10
/** Connections of the threads that make large pages. All other connections are for the other calls. */
export const PAGE_READERS = 2
/** Read connections of all workers together. A database server with a few cores cannot use more at once. */
const WORKERS_SHARE = 48
/** Other connections of a process per network: the writer, the metadata fetcher, and short ones that cancel statements and check the writer. */
const BESIDE = 4
/** Connections of a process to the database of keys. */
export const KEY_READERS = 4
/** Connections left for people, for other programs and for the server itself. */
const SPARE = 16

/** Fewest read connections of a worker, besides those for large pages. */
const LEAST = 2

/** Read connections of one of `workers` processes to the database of one network, besides those for large pages. */
export const readersOf = (workers: number, networks: number): number =>
  workers === 1 ? READERS : Math.max(LEAST, Math.min(READERS, Math.floor(WORKERS_SHARE / (workers * networks)) - PAGE_READERS))

/** Connections that the server must allow in total for `workers` processes. */
export const connectionsFor = (workers: number, networks: number): number =>
  workers * (networks * (readersOf(workers, networks) + PAGE_READERS + BESIDE) + KEY_READERS) + SPARE
