import { describe, expect, it } from 'vitest'
import { createLink, type Message } from '../../server/base/threads/link.ts'
import { createNetworkMirror } from '../../server/cluster/network-mirror.ts'
import { createTickets } from '../../server/cluster/tickets.ts'
import { TonError } from '../../shared/errors.ts'

describe('tickets', () => {
  it('the ticket of a head is settled when every worker has given it back', async () => {
    let given = [0, 0]
    const tickets = createTickets(() => given)
    const told: number[] = []
    const tell = (ticket: number): unknown => told.push(ticket)
    const [a, b] = [{}, {}]
    expect([tickets.of('x', a, tell), tickets.of('x', a, tell), tickets.of('y', a, tell), tickets.of('x', b, tell)]).toEqual([1, 1, 2, 3])
    expect(told).toEqual([1, 2, 3])
    let settled = false
    const waiting = tickets.settled(3, 60_000).then(() => {
      settled = true
    })
    given = [3, 2]
    tickets.seen()
    await Promise.resolve()
    expect(settled).toBe(false)
    // The second worker dies.
    given = [3]
    tickets.seen()
    await waiting
    tickets.forget('x')
    expect(tickets.of('x', b, tell)).toBe(4)
    await tickets.settled(4, 1)
  })
})

/** Two ends that hear each other. */
const pair = (asked: Parameters<typeof createLink>[1]) => {
  const ends: ReturnType<typeof createLink>[] = []
  const send = (to: number) => (message: Message) => {
    const sent = structuredClone(message)
    queueMicrotask(() => ends[to]!.receive(sent))
    return true
  }
  ends.push(createLink({ send: send(1) }, {}, {}), createLink({ send: send(0) }, asked, {}))
  return ends as [ReturnType<typeof createLink>, ReturnType<typeof createLink>]
}

describe('a link', () => {
  it('a link carries answers, errors with all their fields, and the leaving of a caller', async () => {
    let aborted: unknown
    const [here] = pair({
      double: (value: bigint) => value * 2n,
      refuse: () => {
        throw new TonError('INVALID_PARAMS', 'no', { retryAfter: 3, issues: [{ param: 'a', message: 'b' }] })
      },
      fail: () => {
        throw Object.assign(new Error('as it is'), { name: 'LiteServerError' })
      },
      hang: (_value: undefined, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted = signal.reason
            reject(signal.reason)
          })
        }),
    })
    expect(await here.ask('double', 21n)).toBe(42n)
    await expect(here.ask('refuse', undefined)).rejects.toMatchObject({
      name: 'TonError',
      kind: 'INVALID_PARAMS',
      retryAfter: 3,
      issues: [{ param: 'a' }],
    })
    await expect(here.ask('fail', undefined)).rejects.toMatchObject({ name: 'LiteServerError', message: 'as it is' })
    await expect(here.ask('nothing', undefined)).rejects.toThrow('nobody answers nothing')
    const caller = new AbortController()
    const hanging = here.ask('hang', undefined, caller.signal)
    await Promise.resolve()
    caller.abort(new Error('gone'))
    await expect(hanging).rejects.toThrow('gone')
    await expect.poll(() => aborted).toMatchObject({ name: 'AbortError' })
    const last = here.ask('hang', undefined)
    here.close()
    await expect(last).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    await expect(here.ask('double', 1n)).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
  })

  it('a link ignores messages of others', () => {
    const [here] = pair({})
    for (const stray of [
      undefined,
      null,
      5,
      'x',
      {},
      { type: 'axm:signal' },
      { type: 'tell', kind: 'toString' },
      { type: 'answer', id: 99 },
    ])
      expect(() => here.receive(stray)).not.toThrow()
  })
})

describe('a mirror', () => {
  it('a mirror gives each opening once, each fault once, and tells when an opening is over', async () => {
    const mirror = createNetworkMirror()
    const fail = (fault: string) => new Error(fault)
    const head = {
      id: { workchain: -1, shard: 0n, seqno: 1, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) },
      utime: 1,
      epoch: 0,
    }
    const first = mirror.opening(fail)
    mirror.set({ phase: 'failed', fault: 'dead' })
    await expect(first).rejects.toThrow('dead')
    const second = mirror.opening(fail)
    mirror.set({ phase: 'failed', fault: 'dead' })
    mirror.set({ phase: 'ready', opening: 1, peers: [], head, fork: undefined })
    expect(await second).toMatchObject({ opening: 1 })
    const over = mirror.over(1)
    mirror.set({ phase: 'failed', fault: 'lost' })
    expect(await over).toBe('lost')
    const third = mirror.opening(fail)
    mirror.set({ phase: 'ready', opening: 2, peers: [], head, fork: undefined })
    expect(await third).toMatchObject({ opening: 2 })
    mirror.set({ phase: 'ready', opening: 3, peers: [], head, fork: undefined })
    expect(await mirror.over(2)).toBe('the first process has opened the chain again')
  })
})
