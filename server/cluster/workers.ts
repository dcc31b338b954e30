import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Places } from '../base/limits/places.ts'
import type { Log } from '../base/log.ts'
import type { StallSettings } from '../base/stalls/watch.ts'
import { type Asked, createLink, type Link, type Told } from '../base/threads/link.ts'
import { VERSION } from '../base/version.ts'
import { createExposition, type Exposition, type Metrics } from '../metrics/exposition.ts'
import { NO_ANSWERS } from '../metrics/figures.ts'
import { idleMeter } from '../metrics/meter.ts'
import { createHeldPlaces } from './held-places.ts'
import { closeLostConnections } from './lost-connections.ts'

/** A worker that has asked for its settings. */
export interface Member {
  readonly link: Link
  readonly pid: number
  /** The last ticket that it has returned. */
  seen: number
}

export interface WorkersDeps {
  /** `workers`: how many. */
  readonly settings: StallSettings & { readonly workers: number }
  readonly log: Log
  /** Answers a worker's questions. */
  readonly asked: Asked
  /** Sends a new worker its first messages. */
  readonly greet: (member: Member) => void
  readonly onSeen: () => void
  /** Counts connections with events. */
  readonly places: Places
}

/** Why a worker could not start to serve. */
export interface StartFault {
  readonly code?: string | undefined
  /** The port that could not be opened. */
  readonly port?: number | undefined
  readonly message: string
}

export interface Workers {
  members(): Iterable<Member>
  /** Resolves with the port when the first worker listens; rejects with its fault if it cannot. */
  readonly listening: Promise<number>
  /** Ends the workers. Running answers have `patience` milliseconds to finish. */
  close(patience: number): Promise<void>
}

/** A worker that dies within this time (ms) did not die of a single call, so its successor waits longer. */
const SHORT_LIFE = 2_000
const LONGEST_PAUSE = 10_000
/** Milliseconds of the patience that workers have to exit after their last answers. */
const GRACE = 500

/** Keeps the workers running. One that dies is replaced. */
export const createWorkers = ({ settings, log, asked, greet, onSeen, places }: WorkersDeps): Workers => {
  const { workers: count, stallSeconds, log: level, logFormat } = settings
  const members = new Map<Worker, Member>()
  const alive = new Set<Worker>()
  let stopping = false
  let short = 0
  let heard: { readonly resolve: (port: number) => void; readonly reject: (error: Error) => void } | undefined
  const listening = new Promise<number>((resolve, reject) => {
    heard = { resolve, reject }
  })
  listening.catch(() => {})

  const fork = (): void => {
    // A worker is watched before it asks for its settings, or for anything.
    const worker = cluster.fork({ WORKER_STALLS: JSON.stringify({ stallSeconds, log: level, logFormat } satisfies StallSettings) })
    closeLostConnections(worker)
    const since = performance.now()
    const held = createHeldPlaces(places)
    alive.add(worker)
    const told: Told = {
      listening: (port: number) => heard?.resolve(port),
      leave: held.leave,
      failed: ({ message, ...fault }: StartFault) => heard?.reject(Object.assign(new Error(message), fault)),
      seen(ticket: number) {
        const member = members.get(worker)
        if (member) member.seen = Math.max(member.seen, ticket)
        onSeen()
      },
    }
    const start = (): unknown => {
      const member: Member = { link, pid: worker.process.pid ?? 0, seen: 0 }
      members.set(worker, member)
      // This runs after the answer to the worker's question, which is sent once this function has returned.
      setImmediate(() => greet(member))
      return asked['start']!(undefined as never, new AbortController().signal)
    }
    const link = createLink(
      { send: (message) => worker.isConnected() && worker.send(message) !== undefined },
      { ...asked, start, enter: held.enter },
      told,
    )
    worker.on('message', link.receive)
    worker.on('error', (err) => log.warn('worker.channel_failed', { pid: worker.process.pid, err }))
    worker.on('exit', (code, signal) => {
      alive.delete(worker)
      members.delete(worker)
      link.close()
      held.close()
      onSeen()
      if (stopping) return
      log.error('worker.lost', { pid: worker.process.pid, code, signal })
      short = performance.now() - since < SHORT_LIFE ? short + 1 : 0
      const wait = short === 0 ? 0 : Math.min(LONGEST_PAUSE, 100 * 2 ** short)
      setTimeout(() => {
        if (!stopping) fork()
      }, wait)
    })
  }
  for (let i = 0; i < count; i++) fork()

  return {
    members: () => members.values(),
    listening,
    async close(patience) {
      stopping = true
      const left = [...alive]
      for (const worker of left) {
        const member = members.get(worker)
        if (member) member.link.tell('stop', Math.max(0, patience - GRACE))
        else worker.process.kill('SIGKILL')
      }
      const gone = Promise.all(
        left.map((worker) => (alive.has(worker) ? new Promise((resolve) => worker.once('exit', resolve)) : undefined)),
      )
      await Promise.race([gone, sleep(patience)])
      for (const worker of alive) worker.process.kill('SIGKILL')
      await gone
    },
  }
}

/** A worker that does not answer within this time is left out of a scrape. */
const PATIENCE_MS = 2_000

/**
 * Collects the metrics of all workers and of the primary. The primary adds those of its own process (memory, CPU, event loop), and how many of the `count`
 * workers did not answer.
 */
export const createGather = (count: number): ((members: Iterable<Member>) => Promise<readonly Metrics[]>) => {
  let own: Exposition | undefined
  let silent = 0
  return async (members) => {
    own ??= createExposition({
      meter: idleMeter,
      networks: () => [],
      sockets: () => 0,
      answers: () => NO_ANSWERS,
      silentWorkers: () => silent,
      version: VERSION,
    })
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const told = await Promise.allSettled([...members].map(({ link }) => link.ask<Metrics>('metrics', undefined, signal)))
    const workers = told.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    silent = count - workers.length
    return [await own.json(), ...workers]
  }
}
