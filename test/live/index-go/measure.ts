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

/** Milliseconds of processor time that processes and their threads have used. By the scheduler's own count: that of /proc/<pid>/stat is a sample. */
const cpuOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const threads = readdirSync(`/proc/${pid}/task`)
    return sum + threads.reduce((all, id) => all + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e6
  }, 0)

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

/** What one server took for a question, in milliseconds. */
export interface Taken {
  readonly p50: number
  /** Of the server's processes for each request, without the database. */
  readonly cpu: number
}

/** Asks both in turn, one client, `count` questions. Every question is a new one, for both. */
export const latencies = async (
  servers: readonly Served[],
  path: (i: number) => string,
  count: number,
  first: number,
): Promise<Taken[]> => {
  const askers = servers.map(({ url }) => createAsker(url, 1))
  const times = servers.map((): number[] => [])
  const cpu = servers.map(() => 0)
  const warm = Math.ceil(count / 4)
  // In runs of a few, so that the processor time of a run can be read.
  const RUN = 10
  for (let i = 0; i < count + warm; i += RUN) {
    const order = [...servers.keys()]
    if ((i / RUN) % 2) order.reverse()
    for (const each of order) {
      const before = cpuOf(servers[each]!.pids)
      for (let n = i; n < i + RUN; n++) {
        const began = performance.now()
        await askers[each]!.ask(path(first + n))
        if (i >= warm) times[each]!.push(performance.now() - began)
      }
      if (i >= warm) cpu[each]! += cpuOf(servers[each]!.pids) - before
    }
  }
  for (const asker of askers) asker.close()
  return servers.map((_, each) => ({ p50: median(times[each]!), cpu: cpu[each]! / times[each]!.length }))
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
