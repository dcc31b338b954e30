import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { deflateRawSync, type InputType, type ZlibOptions } from 'node:zlib'

/*
 * Time and chance of a simulation. While it is installed, the clocks stand still, timers run only when the simulation moves the time, and random bytes come from its seed. Each timer
 * belongs to the process that set it, so the timers of a killed process never run.
 */

/** A process of the simulation. */
export interface Owner {
  isAlive: boolean
}

export interface VirtualTime {
  /** Unix milliseconds. */
  now(): number
  /** Milliseconds until the next timer of a living process; undefined if there is none. */
  untilNext(): number | undefined
  /** Moves the time, and runs the timers that become due, one after the other. `settled` is awaited after each. */
  pass(milliseconds: number, settled: () => Promise<void>): Promise<void>
  /** Runs work whose timers belong to a process. */
  as<T>(owner: Owner, work: () => T): T
  uninstall(): void
}

/** The real timers, for the simulation itself. */
export const real = { setTimeout, setImmediate, clearTimeout, now: performance.now.bind(performance), Date }

interface Timer {
  readonly owner: Owner | undefined
  due: number
  readonly order: number
  readonly every: number | undefined
  readonly run: () => void
}

const require = createRequire(import.meta.url)
const owners = new AsyncLocalStorage<Owner>()

/** What a timer function returns: node's Timeout has these methods, and the service calls some of them. */
class Handle {
  readonly cancel: () => void
  readonly again: () => void
  constructor(cancel: () => void, again: () => void) {
    this.cancel = cancel
    this.again = again
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return false
  }
  refresh(): this {
    this.again()
    return this
  }
  close(): this {
    this.cancel()
    return this
  }
  [Symbol.dispose](): void {
    this.cancel()
  }
}

/** Nobody knows when a thread answers. */
class NoThread {
  constructor() {
    throw new Error('a simulation has no threads')
  }
}

/** Node compresses in a thread, and does not list that among its resources. It does list an immediate. */
const deflateHere = (input: InputType, options: ZlibOptions, done: (error: null, packed: Buffer) => void): void =>
  void real.setImmediate(done, null, deflateRawSync(input, options))

/** Replaces the clocks, the timers and the random bytes of the whole process. `start`: unix milliseconds. */
export const installTime = (start: number, randomBytes: (count: number) => Uint8Array): VirtualTime => {
  let time = 0
  let count = 0
  const timers = new Set<Timer>()

  const add = (milliseconds: unknown, every: boolean, run: () => void): Handle => {
    const wait = Math.max(1, Number(milliseconds) || 1)
    const owner = owners.getStore()
    const timer: Timer = { owner, due: time + wait, order: count++, every: every ? wait : undefined, run }
    if (owner?.isAlive !== false) timers.add(timer)
    return new Handle(
      () => timers.delete(timer),
      () => {
        timer.due = time + wait
        timers.add(timer)
      },
    )
  }
  const within = (owner: Owner | undefined, run: () => void): void => {
    if (owner === undefined) owners.exit(run)
    else owners.run(owner, run)
  }
  const set =
    (every: boolean) =>
    (run: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]): Handle =>
      add(milliseconds, every, () => run(...args))
  const clear = (handle: unknown): void => {
    if (handle instanceof Handle) handle.cancel()
    else if (handle !== undefined && handle !== null) real.clearTimeout(handle as never)
  }
  const sleep = <T>(milliseconds?: number, value?: T, { signal }: { readonly signal?: AbortSignal } = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      // node rejects with an AbortError whose cause is the signal's reason.
      const refuse = (): void =>
        reject(Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), { name: 'AbortError', code: 'ABORT_ERR' }))
      if (signal?.aborted) return refuse()
      const onAbort = (): void => {
        handle.cancel()
        refuse()
      }
      const handle = add(milliseconds, false, () => {
        signal?.removeEventListener('abort', onAbort)
        resolve(value as T)
      })
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  class SimulatedDate extends real.Date {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(start + time)
      else super(...(args as [number]))
    }
    static override now(): number {
      return start + Math.floor(time)
    }
  }

  const crypto = require('node:crypto')
  const promises = require('node:timers/promises')
  const threads = require('node:worker_threads')
  const zlib = require('node:zlib')
  const changes: (readonly [object: object, name: string, value: unknown])[] = [
    [globalThis, 'setTimeout', set(false)],
    [globalThis, 'setInterval', set(true)],
    [globalThis, 'clearTimeout', clear],
    [globalThis, 'clearInterval', clear],
    [globalThis, 'Date', SimulatedDate],
    [performance, 'now', () => time],
    [promises, 'setTimeout', sleep],
    [
      AbortSignal,
      'timeout',
      (milliseconds: number) => {
        const controller = new AbortController()
        add(milliseconds, false, () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')))
        return controller.signal
      },
    ],
    [Math, 'random', () => Buffer.from(randomBytes(4)).readUInt32LE() / 2 ** 32],
    [crypto, 'randomBytes', (size: number) => Buffer.from(randomBytes(size))],
    [threads, 'Worker', NoThread],
    [zlib, 'deflateRaw', deflateHere],
    [crypto, 'randomUUID', () => Buffer.from(randomBytes(16)).toString('hex')],
  ]
  const before = changes.map(([object, name]) => Object.getOwnPropertyDescriptor(object, name))
  for (const [object, name, value] of changes) Object.defineProperty(object, name, { value, configurable: true, writable: true })
  syncBuiltinESMExports()

  const next = (): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of timers) {
      if (timer.owner?.isAlive === false) timers.delete(timer)
      else if (first === undefined || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) first = timer
    }
    return first
  }

  return {
    now: () => start + time,
    untilNext() {
      const timer = next()
      return timer && Math.max(0, timer.due - time)
    },
    async pass(milliseconds, settled) {
      const end = time + milliseconds
      for (let timer = next(); timer !== undefined && timer.due <= end; timer = next()) {
        time = Math.max(time, timer.due)
        if (timer.every === undefined) timers.delete(timer)
        else timer.due = time + timer.every
        within(timer.owner, timer.run)
        await settled()
      }
      time = end
    },
    as: (owner, work) => owners.run(owner, work),
    uninstall() {
      for (const [i, [object, name]] of changes.entries()) {
        const descriptor = before[i]
        if (descriptor === undefined) delete (object as Record<string, unknown>)[name]
        else Object.defineProperty(object, name, descriptor)
      }
      syncBuiltinESMExports()
    },
  }
}
