import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { Served } from './go-server.ts'

/* Two servers measured side by side by one client. */

/** A client with one connection per request that is open. Resolves with the length of the body; rejects for any status but 200. */
export const createAsker = (url: string, connections: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    ask: (path: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const sent = request(`${url}/api/v3/${path}`, { agent }, (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('error', reject)
          answer.on('end', () => {
            const text = Buffer.concat(parts).toString()
            if (answer.statusCode === 200) resolve(text)
            else reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`))
          })
        })
        sent.on('error', reject)
        sent.end()
      }),
    close: () => agent.destroy(),
  }
}

/** Processor time of a process and its threads, milliseconds. By the scheduler's own count: that of /proc/<pid>/stat is a sample. 0 if it has ended. */
const cpuOfProcess = (pid: number): number => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((all, id) => all + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e6
  } catch {
    return 0
  }
}

const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuOfProcess(pid), 0)

/** A server that is measured, and how to find the processes of the database that work for it. */
export interface Measured extends Served {
  readonly backends: () => Promise<readonly number[]>
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

/** What one server took for a question, in milliseconds. */
export interface Taken {
  readonly p50: number
  /** Processor time for each request: of the server's processes, and of the database's. */
  readonly cpu: number
  readonly database: number
}

/** Asks both in turn, one client, `count` questions. Every question is a new one, for both. */
export const latencies = async (
  servers: readonly Measured[],
  path: (i: number) => string,
  count: number,
  first: number,
): Promise<Taken[]> => {
  const askers = servers.map(({ url }) => createAsker(url, 1))
  const times = servers.map((): number[] => [])
  const cpu = servers.map(() => 0)
  const database = servers.map(() => 0)
  // As many before as are measured: what is compiled only after a few hundred runs is compiled then.
  const warm = count
  // In runs of a few, so that the processor time of a run can be read.
  const RUN = 10
  for (let i = 0; i < count + warm; i += RUN) {
    const order = [...servers.keys()]
    if ((i / RUN) % 2) order.reverse()
    for (const each of order) {
      const backends = await servers[each]!.backends()
      const [before, beforeThere] = [cpuOf(servers[each]!.pids), cpuOf(backends)]
      for (let n = i; n < i + RUN; n++) {
        const began = performance.now()
        await askers[each]!.ask(path(first + n))
        if (i >= warm) times[each]!.push(performance.now() - began)
      }
      if (i < warm) continue
      cpu[each]! += cpuOf(servers[each]!.pids) - before
      database[each]! += cpuOf(backends) - beforeThere
    }
  }
  for (const asker of askers) asker.close()
  return servers.map((_, each) => {
    const { length } = times[each]!
    return { p50: median(times[each]!), cpu: cpu[each]! / length, database: database[each]! / length }
  })
}

/** Requests a second of one server at `clients` clients for some milliseconds. */
export const rate = async ({ url }: Served, path: (i: number) => string, clients: number, ms: number, first: number): Promise<number> => {
  const asker = createAsker(url, clients)
  let i = first
  let done = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - began < ms) {
        await asker.ask(path(i++))
        done++
      }
    }),
  )
  const taken = performance.now() - began
  asker.close()
  return (done * 1000) / taken
}
