import { readFileSync } from 'node:fs'

/* TON Center's own API of an index, ton-index-go, which whoever measures has built and started. README.md beside this file says how. */

/** A server that is measured. `pids`: its processes. */
export interface Served {
  readonly url: string
  readonly pids: readonly number[]
  /** Stops the process while the other server is measured. Missing for ours, which puts nothing off. */
  readonly halt?: () => void
  readonly goOn?: () => void
  close(): Promise<void>
}

export interface GoIndex {
  /** The PostgreSQL database whose schema `go` has its tables. */
  readonly database: string
  connect(): Promise<Served>
}

const VARIABLES = ['INDEX_GO_URL', 'INDEX_GO_DATABASE', 'INDEX_GO_PID'] as const

/** The process of a number, if it runs on this machine. */
const checkPid = (text: string): number => {
  const pid = Number(text)
  try {
    readFileSync(`/proc/${pid}/stat`)
  } catch {
    throw new Error(`INDEX_GO_PID=${text} is not a process of this machine`)
  }
  return pid
}

/** The running ton-index-go that the environment names; undefined if a variable is missing. Throws if it does not answer. */
export const goIndexOf = (env: NodeJS.ProcessEnv): GoIndex | undefined => {
  const [url, database, pidText] = VARIABLES.map((name) => env[name])
  if (url === undefined || database === undefined || pidText === undefined) return undefined
  return {
    database,
    async connect() {
      const pid = checkPid(pidText)
      const answer = await fetch(`${url}/healthcheck`).catch((error: Error) => error)
      if (answer instanceof Error) throw new Error(`INDEX_GO_URL=${url} does not answer: ${answer.cause ?? answer.message}`)
      return {
        url,
        pids: [pid],
        // It queues a task for each token without metadata, and writes them for seconds afterwards.
        halt: () => void process.kill(pid, 'SIGSTOP'),
        goOn: () => void process.kill(pid, 'SIGCONT'),
        async close() {
          process.kill(pid, 'SIGCONT')
        },
      }
    },
  }
}
