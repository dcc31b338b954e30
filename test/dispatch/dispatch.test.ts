import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { AnyHandler } from '../../server/base/answer.ts'
import { addHeader, type Call } from '../../server/base/call.ts'
import { silentLog } from '../../server/base/log.ts'
import { createDeferred } from '../../server/base/promises/deferred.ts'
import { CellError } from '../../server/cell/error.ts'
import { LiteServerError } from '../../server/chain/liteserver.ts'
import { ProofError } from '../../server/chain/proofs/error.ts'
import type { HeadKey } from '../../server/dispatch/answer-cache.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../server/dispatch/pipeline.ts'
import type { Dispatch, Outcome } from '../../server/dispatch/types.ts'
import type { IndexHead } from '../../server/store/schema/head.ts'
import { TvmError } from '../../server/tvm/tvm.ts'
import { type ErrorKind, TonError } from '../../shared/errors.ts'
import { type MethodDef, method } from '../../shared/method.ts'
import { headOf } from '../kit/service/test-transports.ts'
import { busy, countPerTurn, countTurns } from '../kit/turns.ts'
import { sleep, until } from '../kit/wait.ts'

const base = {
  heading: '',
  examples: [{ title: '', params: {} }],
  summary: '',
  params: z.object({ key: z.string().optional(), big: z.bigint().optional(), list: z.array(z.string()).optional() }),
  result: z.unknown(),
  rest: 'none',
  weight: 1,
} as const
const methods = {
  head: method({ ...base, effect: 'read', needs: 'chain', cache: 'head', aliases: ['kopf'] }),
  final: method({ ...base, effect: 'read', needs: 'chain', cache: 'final' }),
  never: method({ ...base, effect: 'read', needs: 'chain', cache: 'never', deadline: 50 }),
  write: method({ ...base, effect: 'write', needs: 'chain', cache: 'never' }),
  missing: method({ ...base, effect: 'read', needs: 'index', cache: 'never' }),
  'local.do': method({ ...base, effect: 'write', needs: 'local', cache: 'never' }),
  index: method({ ...base, effect: 'read', needs: 'index', cache: 'index' }),
} satisfies Record<string, MethodDef>

const callWith = (signal = new AbortController().signal, localAllowed = false): Call => ({
  signal,
  requestId: 'r-1',
  log: silentLog,
  localAllowed,
  network: 'local',
})

/** Handlers that answer when told to. */
const setup = () => {
  const runs: { params: unknown; call: Call; resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = []
  const handler: AnyHandler = (params, call) =>
    new Promise((resolve, reject) => runs.push({ params, call, resolve: (body) => resolve({ body }), reject }))
  const state = { head: headOf(1) as HeadKey | undefined }
  const handlers = Object.fromEntries(['head', 'final', 'never', 'write', 'local.do'].map((name) => [name, handler]))
  const headCache = createCache<Outcome>({ entries: 10, bytes: 100_000 })
  const finalCache = createCache<Outcome>({ entries: 10, bytes: 100_000 })
  const dispatch: Dispatch = createDispatch({ methods, handlers, head: () => state.head, headCache, finalCache })
  return {
    runs,
    state,
    headCache,
    finalCache,
    ask: async (name: string, params: unknown = {}, call = callWith()) => dispatch(name, params, call),
  }
}
let s: ReturnType<typeof setup>
/** Lets promises go on, and ends the turn, so that what was long in it is forgotten. */
const turn = async () => {
  await sleep(1)
  await new Promise(setImmediate)
}
beforeEach(async () => {
  // A handler begins at once in a turn that has done no long work. By a clock that stands still none is long, whatever else the machine does.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  await turn()
  s = setup()
})
afterEach(() => {
  vi.restoreAllMocks()
})
const kindOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.kind)

describe('dispatch', () => {
  it('handlers that work before they wait begin in turns of the event loop', async () => {
    vi.restoreAllMocks()
    const handler: AnyHandler = () => {
      const end = performance.now() + 15
      while (performance.now() < end);
      return { body: 1 }
    }
    const cache = createCache<Outcome>({ entries: 1, bytes: 1 })
    const deps = { methods, handlers: { write: handler }, head: () => undefined, headCache: cache, finalCache: cache }
    const busy = createDispatch(deps)
    const turns = countTurns()
    await Promise.all(Array.from({ length: 16 }, () => busy('write', {}, callWith())))
    turns.stop()
    expect(turns.count()).toBeGreaterThanOrEqual(15)
  })

  it('calls that another process has counted together are read in turns of the event loop', async () => {
    vi.restoreAllMocks()
    const { promise, resolve: count } = createDeferred<boolean>()
    const caller = { keyId: undefined, servers: undefined, take: () => promise, charge: () => {}, onEnd: () => () => {} }
    const reads = countPerTurn()
    const params = {
      get key() {
        busy(15)
        reads.see()
        return 'key'
      },
    }
    const asked = Array.from({ length: 10 }, () => s.ask('write', params, { ...callWith(), caller }))
    count(true)
    await expect.poll(() => s.runs.length).toBe(10)
    expect(reads.most()).toBeLessThan(5)
    for (const { resolve } of s.runs) resolve(1)
    expect((await Promise.all(asked)).map(kindOf)).toEqual(Array(10).fill('ok'))
  })

  it('dispatch finds methods by name and alias, and nothing else', async () => {
    const asked = s.ask('kopf')
    s.runs[0]!.resolve(1)
    expect(await asked).toEqual({ ok: true, json: '1', cached: false })
    for (const name of ['Head', '', '__proto__', 'constructor', 'toString', 'valueOf', 'head '])
      expect(kindOf(await s.ask(name))).toBe('METHOD_NOT_FOUND')
    expect(kindOf(await s.ask('missing'))).toBe('NOT_SERVED')
  })

  it('dispatch refuses local.* to callers on other machines', async () => {
    expect(kindOf(await s.ask('local.do'))).toBe('FORBIDDEN')
    // Refused before anything about its parameters is told.
    expect(kindOf(await s.ask('local.do', { key: 1 }))).toBe('FORBIDDEN')
    expect(s.runs).toHaveLength(0)
    const asked = s.ask('local.do', {}, callWith(undefined, true))
    s.runs[0]!.resolve('done')
    expect(kindOf(await asked)).toBe('ok')
  })

  it('dispatch refuses params that do not parse before any handler runs', async () => {
    expect(kindOf(await s.ask('head', { key: 1 }))).toBe('INVALID_PARAMS')
    expect(kindOf(await s.ask('head', { other: 1 }))).toBe('INVALID_PARAMS')
    expect(s.runs).toHaveLength(0)
  })

  it('dispatch shares one run between equal calls, whatever the order of their members', async () => {
    const [a, b, c] = [s.ask('head', { key: 'x', big: 5n }), s.ask('kopf', { big: 5n, key: 'x' }), s.ask('head', { key: 'y' })]
    expect(s.runs).toHaveLength(2)
    s.runs[0]!.resolve('first')
    s.runs[1]!.resolve('second')
    expect(await Promise.all([a, b, c])).toMatchObject([{ json: '"first"' }, { json: '"first"' }, { json: '"second"' }])
    expect(await s.ask('head', { key: 'x', big: 5n })).toEqual({ ok: true, json: '"first"', cached: true })
    expect(s.runs).toHaveLength(2)
  })

  const names = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`n${i}`, 1]))
  it.each([
    ['30,000 unknown names', names],
    ['a parameter with 30,000 names', { key: names }],
    ['a list of 90,000 texts', { key: Array(90_000).fill('x') }],
    ['30 lists of 3,000 texts', { key: Array(30).fill(Array(3_000).fill('x')) }],
  ])('dispatch refuses %s without writing them as a key of the cache', async (_what, params) => {
    const written = vi.spyOn(JSON, 'stringify')
    expect(kindOf(await s.ask('head', params))).toBe('INVALID_PARAMS')
    expect(written.mock.calls.length).toBeLessThan(10)
  })

  it('dispatch caches and shares calls with lists of a thousand', async () => {
    const list = Array.from({ length: 1_000 }, (_, i) => `${i}`)
    void s.ask('head', { list })
    void s.ask('head', { list: [...list] })
    expect(s.runs).toHaveLength(1)
    s.runs[0]!.resolve(1)
    await turn()
    expect(await s.ask('head', { list })).toMatchObject({ ok: true, cached: true })
  })

  it('dispatch does not confuse values of different types', async () => {
    void s.ask('head', { key: '5' })
    void s.ask('head', { big: 5n })
    void s.ask('head', {})
    void s.ask('final', {})
    expect(s.runs).toHaveLength(4)
  })

  it('dispatch never shares or caches writes and uncacheable methods', async () => {
    const all = [s.ask('write'), s.ask('write'), s.ask('never'), s.ask('never')]
    expect(s.runs).toHaveLength(4)
    for (const run of s.runs) run.resolve(1)
    await Promise.all(all)
    expect(s.headCache.stats().entries + s.finalCache.stats().entries).toBe(0)
  })

  it('dispatch drops answers of a head with the head, and keeps final ones until a revert', async () => {
    const both = async (): Promise<boolean[]> => {
      const asked = [s.ask('head'), s.ask('final')]
      for (const run of s.runs.splice(0)) run.resolve(1)
      return (await Promise.all(asked)).map((outcome) => outcome.ok && outcome.cached)
    }
    expect(await both()).toEqual([false, false])
    // Once found it is remembered where, so that the third call goes another way than the second.
    for (let i = 0; i < 3; i++) expect(await both()).toEqual([true, true])
    s.state.head = headOf(2)
    expect(await both()).toEqual([false, true])
    // The same block again as another object is the same head.
    s.state.head = headOf(2)
    expect(await both()).toEqual([true, true])
    // A revert to a block that was the head before: its answers may have been made on the undone chain.
    for (let i = 0; i < 3; i++) expect(await both()).toEqual([true, true])
    s.state.head = headOf(1, 1)
    expect(await both()).toEqual([false, false])
    for (let i = 0; i < 3; i++) expect(await both()).toEqual([true, true])
    s.state.head = undefined
    expect(await both()).toEqual([false, false])
  })

  it('dispatch treats all forms of no parameters alike, and refuses wrong forms', async () => {
    void s.ask('head')
    s.runs[0]!.resolve(1)
    await turn()
    for (let i = 0; i < 3; i++) {
      for (const none of [{}, undefined, null, Object.create(null)])
        expect(await s.ask('head', none)).toMatchObject({ ok: true, cached: true })
      for (const wrong of [[], 'text', 1]) expect(kindOf(await s.ask('head', wrong))).toBe('INVALID_PARAMS')
    }
    expect(s.runs).toHaveLength(1)
  })

  it('dispatch does not cache an answer that was begun under an older head', async () => {
    const asked = s.ask('head')
    s.state.head = headOf(2)
    void s.ask('head', { key: 'other' })
    s.runs[0]!.resolve('old')
    expect(await asked).toMatchObject({ json: '"old"' })
    s.state.head = headOf(1)
    void s.ask('head')
    expect(s.runs).toHaveLength(3)
  })

  it('dispatch does not cache errors', async () => {
    const asked = s.ask('head')
    s.runs[0]!.reject(new TonError('CHAIN', 'no'))
    expect(kindOf(await asked)).toBe('CHAIN')
    void s.ask('head')
    expect(s.runs).toHaveLength(2)
  })

  it('dispatch aborts a shared run when the last waiter has left, not before', async () => {
    const [one, two] = [new AbortController(), new AbortController()]
    const [a, b] = [s.ask('head', {}, callWith(one.signal)), s.ask('head', {}, callWith(two.signal))]
    const { signal } = s.runs[0]!.call
    one.abort()
    expect(kindOf(await a)).toBe('UNAVAILABLE')
    expect(signal.aborted).toBe(false)
    two.abort()
    expect(kindOf(await b)).toBe('UNAVAILABLE')
    expect(signal.aborted).toBe(true)
    // The next caller begins anew instead of joining what was given up.
    void s.ask('head')
    expect(s.runs).toHaveLength(2)
  })

  it('dispatch ends a call at its deadline with 504, even if the handler goes on', async () => {
    const outcome = await s.ask('never')
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'SOURCE_TIMEOUT', message: 'LITE_SERVER_NETWORK timeout' } })
    expect(s.runs[0]!.call.signal.aborted).toBe(true)
    s.runs[0]!.resolve('late')
    await turn()
  })

  it('dispatch does not begin a call whose caller has left', async () => {
    const gone = new AbortController()
    gone.abort()
    expect(kindOf(await s.ask('head', {}, callWith(gone.signal)))).toBe('UNAVAILABLE')
    expect(kindOf(await s.ask('write', {}, callWith(gone.signal)))).toBe('UNAVAILABLE')
    expect(s.runs).toHaveLength(0)
  })

  it('an answer in pieces is not made to its end once its caller has left', async () => {
    let hasEnded = false
    const pieces = async function* (): AsyncGenerator<string> {
      try {
        for (;;) {
          await sleep(1)
          yield ''
        }
      } finally {
        hasEnded = true
      }
    }
    const cache = createCache<Outcome>({ entries: 1, bytes: 1 })
    const deps = { methods, head: () => undefined, headCache: cache, finalCache: cache }
    const endless = createDispatch({ ...deps, handlers: { index: () => ({ pieces: pieces() }) } })
    const leaving = new AbortController()
    const asked = endless('index', {}, { ...callWith(leaving.signal), acceptsPieces: true })
    await sleep(20)
    leaving.abort()
    expect(kindOf(await asked)).toBe('UNAVAILABLE')
    await until(() => hasEnded)
  })

  it('a caller that takes no pieces is refused if it shares an answer of several texts', async () => {
    const long: AnyHandler = () => ({
      pieces: (async function* () {
        for (let i = 0; i < 17; i++) yield 'x'.repeat(1 << 20)
      })(),
    })
    const cache = createCache<Outcome>({ entries: 1, bytes: 1 << 28 })
    const shared = createDispatch({ methods, handlers: { head: long }, head: () => headOf(1), headCache: cache, finalCache: cache })
    const [one, other] = await Promise.all([shared('head', {}, { ...callWith(), acceptsPieces: true }), shared('head', {}, callWith())])
    expect(one.ok && [one.json, ...one.more!].map(({ length }) => length >> 20)).toEqual([16, 1])
    expect([kindOf(other), cache.stats().entries]).toEqual(['TOO_LARGE', 0])
  })

  const circle: unknown[] = []
  circle.push(circle)
  it.each([
    ['a bigint', 1n],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a circle', circle],
  ])('a result of %s is an internal error', async (_what, value) => {
    const asked = s.ask('never')
    s.runs[0]!.resolve(value)
    expect(await asked).toMatchObject({ ok: false, error: { kind: 'INTERNAL', message: 'internal error, request r-1' } })
  })

  it.each([
    [new CellError('boc', 'text'), 'CHAIN'],
    [new LiteServerError(651, 'text'), 'CHAIN'],
    [new ProofError('block', 'text'), 'CHAIN'],
    [new TvmError('rejected', 'text'), 'CHAIN'],
    [new TvmError('timeout', 'text'), 'SOURCE_TIMEOUT'],
    [new TvmError('overloaded', 'text'), 'UNAVAILABLE'],
    [new DOMException('text', 'AbortError'), 'UNAVAILABLE'],
    [new DOMException('text', 'TimeoutError'), 'SOURCE_TIMEOUT'],
    [new TypeError('text'), 'INTERNAL'],
    [Object.assign(new Error('text'), { name: 'CellError' }), 'INTERNAL'],
  ])('dispatch answers %s as %s', async (thrown, kind) => {
    const asked = s.ask('never')
    s.runs[0]!.reject(thrown)
    expect(kindOf(await asked)).toBe(kind)
  })

  it('dispatch stores and counts the answers of handlers that return no promise', async () => {
    const done: (string | undefined)[] = []
    const meter = () => ({ hit: () => done.push('hit'), done: (failure: ErrorKind | undefined) => done.push(failure) })
    const signals: AbortSignal[] = []
    const handler: AnyHandler = ({ key }: { readonly key?: string }, call) => {
      signals.push(call.signal)
      addHeader(call, 'X-Tvm-Version', '15')
      if (key === 'bad') throw new TvmError('rejected', 'text')
      return { body: key }
    }
    const handlers = { head: handler, never: handler, write: handler }
    const caches = {
      headCache: createCache<Outcome>({ entries: 10, bytes: 100_000 }),
      finalCache: createCache<Outcome>({ entries: 10, bytes: 1 }),
    }
    const dispatch = createDispatch({ methods, handlers, head: () => headOf(1), meter, ...caches })
    const fresh = { ok: true, json: '"good"', cached: false, headers: { 'X-Tvm-Version': '15' } }
    expect(await dispatch('head', { key: 'good' }, callWith())).toEqual(fresh)
    expect(await dispatch('head', { key: 'good' }, callWith())).toEqual({ ...fresh, cached: true })
    expect(await dispatch('write', { key: 'good' }, callWith())).toEqual(fresh)
    expect(await dispatch('head', { key: 'bad' }, callWith())).toMatchObject({ ok: false, error: { kind: 'CHAIN' } })
    expect(await dispatch('never', { key: 'bad' }, callWith())).toMatchObject({ ok: false, error: { kind: 'CHAIN' } })
    // A failure is not kept.
    await dispatch('head', { key: 'bad' }, callWith())
    expect(done).toEqual([undefined, 'hit', undefined, 'CHAIN', 'CHAIN', 'CHAIN'])
    expect(new Set(signals).size).toBe(5)
  })

  it('dispatch keeps an answer of the index until its head changes, but not one of another head, nor one that is sent while it is made', async () => {
    let runs = 0
    async function* long() {
      for (let i = 0; i < 3; i++) yield 'x'.repeat(1 << 16)
    }
    const handler: AnyHandler = ({ key }: { readonly key?: string }) => {
      runs++
      return key === 'long' ? { pieces: long() } : { pieces: ['1'], isTransient: key === 'other' }
    }
    const headOfIndex = (head: number): IndexHead => ({ head, first: 1, network: 'local', isDistributed: false, utime: 1, epoch: 0 })
    const state: { head: IndexHead | undefined } = { head: headOfIndex(1) }
    const cache = () => createCache<Outcome>({ entries: 10, bytes: 10_000_000 })
    const dispatch = createDispatch({
      methods,
      handlers: { index: handler },
      head: () => headOf(1),
      headCache: cache(),
      finalCache: cache(),
      indexed: { cache: cache(), head: () => state.head },
    })
    const runsOf = async (key: string): Promise<number> => {
      const before = runs
      for (let i = 0; i < 3; i++)
        expect(await dispatch('index', { key }, { ...callWith(), acceptsPieces: true })).toMatchObject({ ok: true })
      return runs - before
    }
    expect([await runsOf('short'), await runsOf('other'), await runsOf('long')]).toEqual([1, 3, 3])
    state.head = headOfIndex(2)
    expect(await runsOf('short')).toBe(1)
    state.head = undefined
    expect(await runsOf('short')).toBe(3)
    // Each of two callers who ask at once reads the rest of an answer of his own.
    state.head = headOfIndex(3)
    const [one, other] = await Promise.all([1, 2].map(() => dispatch('index', { key: 'long' }, { ...callWith(), acceptsPieces: true })))
    expect(one!.ok && other!.ok && one!.rest !== other!.rest).toBe(true)
  })
})
