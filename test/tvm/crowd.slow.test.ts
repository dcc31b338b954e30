import { Agent, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { rpc } from '../kit/service/client.ts'
import { serviceOfFile } from '../kit/service/process.ts'
import { sleep } from '../kit/wait.ts'

/* More get-methods than the service can run: what becomes of a caller who asks for little. Callers are told apart by their addresses, of which 127.0.0.0/8 has many. */

const service = serviceOfFile()

const raw = (byte: string): string => `0:${byte.repeat(32)}`
const [LOOP, SHORT] = [raw('a7'), raw('a8')]
const text = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
const codeOf = (hex: string): string => text(beginCell().storeBytes(Buffer.from(hex, 'hex')).end())
/** `AGAIN` of nothing: it ends when its gas is used up. */
const ENDLESS = codeOf('90ea')
/** DROP: the method answers its argument. */
const SAME = codeOf('30')

const CONNECTIONS = 1_200
/** Requests of the good caller, after which the crowd leaves: some seconds on a quiet machine. */
const GOOD_CALLS = 4
/** Between two of them. */
const PAUSE_MS = 250

interface Told {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

let asked = 0

/** One get-method on a connection that stays open. Its argument is another one each time, so that no answer is kept. */
const run = (agent: Agent, localAddress: string, address: string): Promise<Told> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ address, method: 'get', stack: [['num', `${asked++}`]] })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length }
    const sent = request(`${service.url}/api/v2/runGetMethod`, { method: 'POST', agent, localAddress, headers }, (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        answer += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'], body: answer }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })

const connection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 })

/** A crowd that asks without pause, until one caller beside it, who asks now and then, has asked often enough. */
const ask = async (addressOf: (i: number) => string): Promise<{ readonly good: readonly Told[]; readonly crowd: readonly Told[] }> => {
  await rpc(service.url, 'local.setAccount', { address: LOOP, balance: '1000000000', code: ENDLESS, data: ENDLESS })
  await rpc(service.url, 'local.setAccount', { address: SHORT, balance: '1000000000', code: SAME, data: SAME })
  const [good, crowd]: Told[][] = [[], []]
  let isOver = false
  const crowding = Array.from({ length: CONNECTIONS }, async (_, i) => {
    const agent = connection()
    while (!isOver) {
      const told = await run(agent, addressOf(i), LOOP)
      crowd!.push(told)
      // Those who are sent away come back sooner than they were told to.
      if (told.status === 503) await sleep(600)
    }
    agent.destroy()
  })
  const agent = connection()
  // The good caller runs quick methods, and once a long one.
  for (let i = 0; i < GOOD_CALLS; i++) {
    good!.push(await run(agent, '127.200.0.1', i === 2 ? LOOP : SHORT))
    await sleep(PAUSE_MS)
  }
  isOver = true
  agent.destroy()
  await Promise.all(crowding)
  return { good: good!, crowd: crowd! }
}

describe('more get-methods than can be run', () => {
  it.each([
    ['one caller', () => '127.200.0.2'],
    ['forty callers', (i: number) => `127.201.0.${1 + (i % 40)}`],
  ])('of %s are refused with Retry-After, and those of a caller who asks for little are answered', async (_who, addressOf) => {
    const { good, crowd } = await ask(addressOf)
    expect(good.filter(({ status }) => status !== 200)).toEqual([])
    const refused = crowd.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(CONNECTIONS / 10)
    for (const { retryAfter, body } of refused) {
      expect(Number(retryAfter)).toBeGreaterThan(0)
      expect(JSON.parse(body)).toMatchObject({ ok: false, code: 503 })
    }
    // Whoever is not refused is answered, or told that the time was over.
    expect(crowd.filter(({ status }) => ![200, 503, 504].includes(status))).toEqual([])
    expect(crowd.filter(({ status }) => status === 200).length).toBeGreaterThan(10)
  })
})
