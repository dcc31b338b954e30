/* How many connections the processes of a service take, of a server that has so many at most. */

/** Readers' connections of the process that has an index. */
export const READERS = 12
/** Readers' connections of all workers together: a server of a few cores does no more at once. */
const WORKERS_SHARE = 48
/** Beside its readers a process has, for each network: the writer, what fetches metadata, and for moments cancels and looks at the writer. */
const BESIDE = 4
/** For people, other programs, and the server's own. */
const SPARE = 16

/** Readers' connections of one worker to the database of one network. */
export const readersOfWorker = (workers: number, networks: number): number =>
  Math.max(2, Math.min(READERS, Math.floor(WORKERS_SHARE / (workers * networks))))

/** Connections that a server must have for all of them. */
export const connectionsFor = (workers: number, networks: number): number => {
  const ofWorkers = workers === 1 ? 0 : workers * (readersOfWorker(workers, networks) + BESIDE)
  return networks * (READERS + BESIDE + ofWorkers) + SPARE
}
