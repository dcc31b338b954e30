import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createClient, webSocket } from '../../client/index.ts'
import { collectGarbage } from '../kit/gc.ts'
import { sleep } from '../kit/wait.ts'
import { answerEcho, echo, type Rpc, send, serve, type TestServer } from './servers.ts'

/* What 100,000 calls leave behind: nothing. */

const CALLS = 100_000
const TOGETHER = 1_000
const address = (i: number): string => `0:${i.toString(16).padStart(64, '0')}`
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate').length

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason)
}
const warnings: Error[] = []
const onWarning = (warning: Error): void => {
  warnings.push(warning)
}
const heap = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}
let server: TestServer
beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled)
  process.on('warning', onWarning)
  server = await serve(answerEcho)
})
afterAll(async () => {
  process.off('unhandledRejection', onUnhandled)
  process.off('warning', onWarning)
  await server.close()
})

/** Runs them a thousand at a time. */
const inRounds = async (calls: number, one: (i: number) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < calls; start += TOGETHER) {
    await Promise.all(Array.from({ length: Math.min(TOGETHER, calls - start) }, (_, i) => one(start + i)))
    // The test's own servers remember what they saw.
    server.seen.length = 0
  }
}
const settled = async (): Promise<void> => {
  await sleep(20)
  expect(unhandled).toEqual([])
  expect(warnings).toEqual([])
}

describe(`after ${CALLS} calls`, () => {
  it(`after ${CALLS} calls no timer, no listener, no memory and no warning is left`, async () => {
    const ton = createClient({ url: server.url })
    const shared = new AbortController()
    const one = async (i: number): Promise<unknown> => {
      const own = i % 10 === 3 ? new AbortController() : undefined
      const call = ton.getAddressBalance({ address: address(i) }, { signal: i % 3 === 0 ? shared.signal : own?.signal })
      own?.abort()
      return call.catch((error: { kind: string }) => expect(error.kind).toBe('ABORTED'))
    }
    await inRounds(20_000, one)
    const [timersBefore, heapBefore] = [timers(), heap()]
    await inRounds(CALLS - 20_000, one)
    await settled()
    expect(timers()).toBeLessThanOrEqual(timersBefore)
    expect(getEventListeners(shared.signal, 'abort')).toEqual([])
    expect(heap() - heapBefore).toBeLessThan(10)
    shared.abort()
    await settled()
  })
})

describe('after thousands of failures', () => {
  it.each([
    ['dropped sockets', (i: number) => (i % 2 ? 'drop' : 'answer')],
    ['broken answers', (i: number) => (i % 2 ? 'text' : 'part')],
    ['refusals', () => 'refuse'],
  ])(
    'after thousands of failures (%s) nothing is left either',
    async (_, how) => {
      let n = 0
      await using bad = await serve((seen, response) => {
        const what = how(n++)
        bad.seen.length = 0
        if (what === 'drop') response.destroy()
        else if (what === 'text') send(response, '<html>')
        else if (what === 'part') send(response, seen.calls.slice(1).map(echo))
        else if (what === 'refuse') send(response, '', 503)
        else answerEcho(seen, response, response.req)
      })
      const ton = createClient({ url: bad.url, retry: { times: 2, base: 1 } })
      const shared = new AbortController()
      const before = timers()
      await inRounds(5_000, (i) => ton.getAddressBalance({ address: address(i) }, { signal: shared.signal }).catch(() => {}))
      await settled()
      expect(timers()).toBeLessThanOrEqual(before)
      expect(getEventListeners(shared.signal, 'abort')).toEqual([])
    },
    60_000,
  )

  it('with sockets that drop all the time every call ends', async () => {
    const wss = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await new Promise((resolve) => wss.on('listening', resolve))
    let n = 0
    wss.on('connection', (socket) => {
      socket.on('error', () => {})
      socket.on('message', (data) => {
        if (++n % 7 === 0) return socket.terminate()
        const body = JSON.parse(String(data)) as Rpc | Rpc[]
        socket.send(JSON.stringify(Array.isArray(body) ? body.map(echo) : echo(body)))
      })
    })
    const { port } = wss.address() as { port: number }
    const ton = createClient({
      transport: webSocket({ url: `ws://127.0.0.1:${port}`, WebSocket, reconnect: { base: 1, cap: 2, attempts: 50 } }),
    })
    const before = timers()
    let [answers, failures] = [0, 0]
    await inRounds(20_000, async (i) => {
      const call: Promise<unknown> = i % 50 === 0 ? ton.sendBoc({ boc: `${i}` }) : ton.getAddressBalance({ address: address(i) })
      await call.then(
        () => answers++,
        (error: { kind: string; method: string }) => {
          // Only what may not be sent again is lost.
          expect(error).toMatchObject({ kind: 'NETWORK', method: 'sendBoc' })
          failures++
        },
      )
    })
    expect(answers + failures).toBe(20_000)
    expect(failures).toBeGreaterThan(0)
    ton.close()
    await settled()
    expect(timers()).toBeLessThanOrEqual(before)
    for (const socket of wss.clients) socket.terminate()
    await new Promise((resolve) => wss.close(resolve))
  })
})
