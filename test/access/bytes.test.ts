import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandClock } from '../kit/service/access.ts'
import { ask, post, rpcRequest } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/* The length of an answer counts in the limit of who got it, 256 KiB a unit, after it was made. */

const LIMIT = 20
const UNIT = 256 << 10

describe('units by the length of answers', () => {
  const clock = createHandClock()
  let service: Tonway
  beforeAll(async () => {
    service = await startTonway({ clock, keys: 'off', anonymousRps: LIMIT, blockTime: 0 })
  })
  afterAll(() => service?.close())

  /** How many calls pass before one is refused. */
  const left = async (): Promise<number> => {
    for (let passed = 0; ; passed++) if ((await ask(`${service.url}/api/v2/getMasterchainInfo`)).status !== 200) return passed
  }
  const discover = async (items: number): Promise<unknown[]> =>
    (await post(
      `${service.url}/jsonRPC`,
      Array.from({ length: items }, (_, id) => rpcRequest('rpc.discover', {}, id)),
    ).then(({ body }) => body)) as unknown[]

  it('a batch of long answers leaves less room than its calls alone, and the next second is whole again', async () => {
    const items = 6
    const replies = await discover(items)
    const { result } = replies[0] as { result: object }
    const units = Math.floor((items * JSON.stringify(result).length) / UNIT)
    expect(units).toBeGreaterThan(0)
    expect(replies.every((reply) => 'result' in (reply as object))).toBe(true)
    expect(await left()).toBe(LIMIT - items - units)
    clock.pass(1_001)
    expect(await left()).toBe(LIMIT)
    clock.pass(1_001)
  })

  it('the answers of a batch count against the limit that is left', async () => {
    const replies = await discover(LIMIT)
    const refused = replies.filter((reply) => 'error' in (reply as object))
    expect(refused.length).toBeGreaterThan(0)
    // An answer counts after it was made, so calls that run at once may all pass. At least as many pass as would one by one.
    const { result } = replies[0] as { result: object }
    expect(LIMIT - refused.length).toBeGreaterThanOrEqual(Math.floor(LIMIT / (1 + JSON.stringify(result).length / UNIT)))
    expect(refused[0]).toMatchObject({ error: { data: { kind: 'RATE_LIMITED' } } })
    clock.pass(1_001)
  })

  it('a long body costs no more than its calls, whether its length is stated or not', async () => {
    const long = ' '.repeat(100_000)
    const send = (path: string, body: string | ReadableStream): Promise<number> =>
      ask(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body,
        duplex: 'half',
      } as RequestInit).then(({ status }) => status)
    const calls = JSON.stringify([1, 2].map((id) => rpcRequest('getMasterchainInfo', {}, id)))
    for (const [path, body, units] of [
      ['/jsonRPC', JSON.stringify(rpcRequest('getMasterchainInfo')), 1],
      ['/jsonRPC', calls, 2],
      ['/jsonRPC', 'not JSON', 1],
      ['/api/v2/getMasterchainInfo', '{}', 1],
      ['/mcp', JSON.stringify(rpcRequest('tools/list')), 1],
      ['/mcp', JSON.stringify(rpcRequest('tools/call', { name: 'getMasterchainInfo', arguments: {} })), 1],
    ] as const) {
      for (const sent of [long + body, new Blob([long + body]).stream()]) {
        expect(await send(path, sent)).not.toBe(429)
        expect(await left()).toBe(LIMIT - units)
        clock.pass(1_001)
      }
    }
  })

  it('a caller over its limit is refused before its long body is read, and the refusal is counted', async () => {
    const counted = async (): Promise<number> =>
      Number(/^tonway_refused_total\{.*anonymous.*\} (\d+)$/m.exec((await ask(`${service.url}/metrics`)).text)?.[1] ?? 0)
    const beginning = (path: string, length: number): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const req = request(`${service.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': length },
        })
        req.on('error', reject)
        req.on('response', ({ statusCode }) => {
          resolve(statusCode)
          req.destroy()
        })
        req.flushHeaders()
      })
    await left()
    const before = await counted()
    const paths = ['/jsonRPC', '/api/v2/jsonRPC', '/api/v2/getMasterchainInfo', '/api/v3/decode', '/mcp']
    for (const path of paths) expect(await beginning(path, 1 << 20), path).toBe(429)
    expect(await counted()).toBe(before + paths.length)
    clock.pass(1_001)
  })

  it('short answers cost no more than their calls', async () => {
    await post(
      `${service.url}/jsonRPC`,
      Array.from({ length: 10 }, (_, id) => rpcRequest('getMasterchainInfo', {}, id)),
    )
    expect(await left()).toBe(LIMIT - 10)
    clock.pass(1_001)
  })
})
