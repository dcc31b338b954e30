/* How many connections the processes of a service take, of a server that has so many at most. */

/** Read connections of the process that writes the index. */
export const READERS = 12
/** Read connections of all workers together. A database server with a few cores cannot use more at once. */
const WORKERS_SHARE = 48
/** Other connections of a process per network: the writer, the metadata fetcher, and short ones that cancel statements and check the writer. */
const BESIDE = 4
/** Connections left for people, for other programs and for the server itself. */
const SPARE = 16

/** Read connections that a worker has at least: large pages may keep two busy, and the others are for the rest. */
const LEAST = 3

/** Read connections of one worker to the database of one network. */
export const readersOfWorker = (workers: number, networks: number): number =>
  Math.max(LEAST, Math.min(READERS, Math.floor(WORKERS_SHARE / (workers * networks))))

/** Connections that the server must allow in total. */
export const connectionsFor = (workers: number, networks: number): number => {
  const ofWorkers = workers === 1 ? 0 : workers * (readersOfWorker(workers, networks) + BESIDE)
  return networks * (READERS + BESIDE + ofWorkers) + SPARE
}
