import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../kit/wait.ts'
import { get, post, rpcText, type WireAnswer } from '../kit/wire/connection.ts'
import { expectRefusal, startService, type WireService } from '../kit/wire/service.ts'

/* Requests that do not wait for the answers to those before them. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

/** A call that lasts until `count` further blocks are made. A block serves all such calls that run. */
const mine = (id: unknown, count: number): string => post('/jsonRPC', rpcText('local.mine', { count }, id))
const hash = (id: unknown): string => post('/jsonRPC', rpcText('detectHash', { hash: '0'.repeat(64) }, id))
const idOf = ({ json }: WireAnswer): unknown => (json as { readonly id: unknown }).id
const seqno = async (): Promise<number> => (await service.status()).head.seqno
const ids = (count: number): number[] => Array.from({ length: count }, (_, id) => id)

describe('requests of one connection', () => {
  it('pipelined requests are answered in their order, whatever each takes', async () => {
    const connection = await service.open()
    await connection.send(
      ids(60)
        .map((id) => (id % 3 === 0 ? mine(id, 1 + (id % 2)) : hash(id)))
        .join(''),
    )
    const answers: unknown[] = []
    for (let i = 0; i < 60; i++) answers.push(idOf(await connection.answer()))
    expect(answers).toEqual(ids(60))
    connection.destroy()
  })

  it('pipelined requests run eight at a time: the one whose answer is next, and seven more', async () => {
    const before = await seqno()
    const connection = await service.open()
    await connection.send(
      ids(32)
        .map((id) => mine(id, 6))
        .join(''),
    )
    for (const id of ids(32)) expect(idOf(await connection.answer())).toBe(id)
    connection.destroy()
    const blocks = (await seqno()) - before
    // A block serves at most eight of them, and one after the other they would need 192.
    expect(blocks).toBeGreaterThanOrEqual((32 * 6) / 8)
    expect(blocks).toBeLessThan(150)
  })

  it('pipelined requests leave room for those of other connections', async () => {
    const FLOOD = 2_000
    const flood = await service.open()
    const flooding = flood.send(hash('flood').repeat(FLOOD))
    let answered = 0
    const reading = (async () => {
      for (; answered < FLOOD; answered++) await flood.answer()
    })()
    expect((await service.ask(get('/health'))).status).toBe(200)
    expect(answered).toBeLessThan(FLOOD)
    await Promise.all([flooding, reading])
    flood.destroy()
  })

  it('pipelined requests have bodies, which may come later than their heads', async () => {
    const connection = await service.open()
    const last = hash('last')
    await connection.send(
      ids(20)
        .map((id) => mine(id, 1))
        .join('') + last.slice(0, -9),
    )
    expect(idOf(await connection.answer())).toBe(0)
    await connection.send(last.slice(-9) + get('/health'))
    for (const id of [...ids(20).slice(1), 'last']) expect(idOf(await connection.answer())).toBe(id)
    expect((await connection.answer()).json).toEqual({ ok: true, result: 'OK' })
    connection.destroy()
  })

  it('pipelined requests that wait are not begun when their connection has gone', async () => {
    const before = await seqno()
    const connection = await service.open()
    // One after the other, because none of them shares a block with the next: at most eight run.
    await connection.send(
      ids(400)
        .map((id) => mine(id, 8))
        .join(''),
    )
    await connection.answer()
    connection.destroy()
    let last = -1
    await expect
      .poll(
        async () => {
          const now = await seqno()
          const isStill = now === last
          last = now
          return isStill
        },
        { interval: 300 },
      )
      .toBe(true)
    expect(last - before).toBeLessThan((400 * 8) / 8)
  })

  it('pipelined requests of a client that ends its half of the connection are answered as far as the connection lasts', async () => {
    const connection = await service.open()
    await connection.send(
      ids(40)
        .map((id) => (id % 4 === 0 ? mine(id, 1) : hash(id)))
        .join(''),
    )
    connection.end()
    // Whole answers, in order, and of all that had to wait. The end is met when nothing waits any more: what runs then may be lost.
    const answered = (await connection.answers()).map(idOf)
    expect(answered).toEqual(ids(40).slice(0, answered.length))
    expect(answered.length).toBeGreaterThanOrEqual(40 - 8)
  })

  it('bad bytes that trickle in behind a call are refused once, after its answer', async () => {
    const before = await seqno()
    const connection = await service.open()
    await connection.send(mine('before', 40))
    for (let piece = 0; piece < 40; piece++) {
      await connection.send('bad bytes ')
      await until(async () => (await seqno()) > before + piece)
    }
    const [answer, refusal, ...more] = await connection.answers()
    expect([idOf(answer!), more]).toEqual(['before', []])
    expect(expectRefusal(refusal!, 400)).toBe('malformed HTTP request')
    // The service ends without having said anything: a listener for each piece would have been a warning.
  })

  it('a long call of a client that has gone is ended', async () => {
    const gone = async (): Promise<number> =>
      Number(/^tonway_http_requests_total\{door="jsonRPC",status="499"\} (\d+)$/m.exec((await service.ask(get('/metrics'))).text)?.[1] ?? 0)
    const [before, goneBefore] = [await seqno(), await gone()]
    const connection = await service.open()
    await connection.send(mine('long', 100_000))
    await expect.poll(seqno).toBeGreaterThan(before)
    connection.destroy()
    await expect.poll(gone).toBe(goneBefore + 1)
  })
})
