import { readdirSync, readFileSync } from 'node:fs'
import { sleep } from '../../kit/wait.ts'
import type { Served } from './go-server.ts'
import { openLine } from './line.ts'

/* Two servers measured side by side by one client, which does the same for both. */

/** Where a question is asked. */
export const pathOf = (question: string): string => `/api/v3/${question}`

/** Processor time of threads by their numbers, milliseconds. */
type Used = ReadonlyMap<string, number>

/** The numbers of a process's threads; none if it has ended. */
const threadsOf = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** The scheduler's count of a thread's processor time, which is exact; /proc/<pid>/stat has a sample. undefined if the thread has ended. */
const usedByThread = (pid: number, id: string): number | undefined => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return undefined
  }
}

/** Processor time so far of all threads of some processes. */
const usedBy = (pids: readonly number[]): Used => {
  const all = new Map<string, number>()
  for (const pid of pids)
    for (const id of threadsOf(pid)) {
      const used = usedByThread(pid, id)
      if (used !== undefined) all.set(id, used)
    }
  return all
}

/** Processor time between two looks. That of a thread which has ended in between is not known, and left out. */
const usedBetween = (before: Used, after: Used): number => {
  let sum = 0
  for (const [id, used] of after) sum += used - (before.get(id) ?? 0)
  return sum
}

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

/** Questions of a list before those that are measured, at least. */
const LEAST_WARM = 80

/** Halts all servers but one. Otherwise what a server puts off until after its answers would take time from the other. */
export const letRun = (servers: readonly Served[], one: Served): void => {
  for (const server of servers) if (server !== one) server.halt?.()
  one.goOn?.()
}

/** Asks both in turn, one client, `count` questions. Every question is a new one, for both. */
export const latencies = async (
  servers: readonly Measured[],
  path: (i: number) => string,
  count: number,
  first: number,
): Promise<Taken[]> => {
  const lines = servers.map(({ url }) => openLine(url))
  const times = servers.map((): number[] => [])
  const cpu = servers.map(() => 0)
  const database = servers.map(() => 0)
  // As many before as are measured, and at least so many: what V8 compiles only after a few hundred runs, or a few dozen of a large page, is compiled then.
  const warm = Math.max(count, LEAST_WARM)
  // In runs of a few, so that the processor time of a run can be read.
  const RUN = 10
  for (let i = 0; i < count + warm; i += RUN) {
    const order = [...servers.keys()]
    if ((i / RUN) % 2) order.reverse()
    for (const each of order) {
      letRun(servers, servers[each]!)
      const backends = await servers[each]!.backends()
      const [before, beforeThere] = [usedBy(servers[each]!.pids), usedBy(backends)]
      for (let n = i; n < i + RUN; n++) {
        const began = performance.now()
        await lines[each]!.ask(pathOf(path(first + n)))
        if (i >= warm) times[each]!.push(performance.now() - began)
      }
      if (i < warm) continue
      cpu[each]! += usedBetween(before, usedBy(servers[each]!.pids))
      database[each]! += usedBetween(beforeThere, usedBy(backends))
    }
  }
  for (const line of lines) line.close()
  for (const { goOn } of servers) goOn?.()
  return servers.map((_, each) => {
    const { length } = times[each]!
    return { p50: median(times[each]!), cpu: cpu[each]! / length, database: database[each]! / length }
  })
}

/** What one server did at several clients. */
export interface Rate {
  /** Requests a second. */
  readonly rate: number
  /** Processor time for each request, milliseconds: of the server's processes and of the database's. */
  readonly cpu: number
}

/** Requests a second of one server at `clients` clients for some milliseconds. */
export const rate = async (
  { url, pids, backends }: Measured,
  path: (i: number) => string,
  clients: number,
  ms: number,
  first: number,
): Promise<Rate> => {
  const lines = Array.from({ length: clients }, () => openLine(url))
  let i = first
  let done = 0
  const used = async (): Promise<Used> => usedBy([...pids, ...(await backends())])
  const before = await used()
  const began = performance.now()
  await Promise.all(
    lines.map(async (line) => {
      while (performance.now() - began < ms) {
        await line.ask(pathOf(path(i++)))
        done++
      }
    }),
  )
  const taken = performance.now() - began
  const cpu = usedBetween(before, await used()) / done
  for (const line of lines) line.close()
  return { rate: (done * 1000) / taken, cpu }
}

/** Processor time in a second with which a process counts as idle, milliseconds, and the seconds that it is waited for. */
const IDLE_MS = 20
const MOST_SECONDS = 60

/** Waits until a server has done what it puts off: Go's writes tasks to its database for seconds after its answers. */
export const untilIdle = async ({ pids }: Served): Promise<void> => {
  for (let seconds = 0; seconds < MOST_SECONDS; seconds++) {
    const before = usedBy(pids)
    await sleep(1_000)
    if (usedBetween(before, usedBy(pids)) < IDLE_MS) return
  }
}

/** Numbers of questions that nothing else asks. */
const WARM_FIRST = 900_000

/** Asks servers all of some lists, `ms` each, so that the first one is not measured in programs that are still being compiled. */
export const warmUp = async (
  servers: readonly Measured[],
  paths: readonly ((i: number) => string)[],
  clients: number,
  ms: number,
): Promise<void> => {
  for (const path of paths) for (const server of servers) await rate(server, path, clients, ms, WARM_FIRST)
}
