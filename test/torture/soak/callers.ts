import { WebSocket } from 'ws'
import type { Random } from '../../kit/random.ts'
import { type Connection, get, openConnection, post, type WireAnswer } from '../../kit/wire/connection.ts'
import { addressOf, WALLETS } from '../load.ts'
import type { Ids } from './ids.ts'

/* Clients of many kinds. Each call has an id of its own, and its answer must have the same. */

interface Call {
  readonly method: string
  readonly params: object
}

/** One client, with one request under way. */
export interface Caller {
  ask(): Promise<void>
  close(): void
}

/** Requests after which a client comes over a new connection. */
const PER_CONNECTION = 300
const BATCH = 10

const callOf = (random: Random): Call => {
  const address = random.chance(0.3) ? addressOf(random.pick(WALLETS)) : `0:${random.below(500).toString(16).padStart(64, '0')}`
  const wallet = addressOf(random.pick(WALLETS))
  return random.pick<Call>([
    { method: 'getMasterchainInfo', params: {} },
    { method: 'getAddressInformation', params: { address } },
    { method: 'getAddressBalance', params: { address } },
    { method: 'runGetMethod', params: { address: wallet, method: 'seqno', stack: [['num', String(random.below(2 ** 32))]] } },
    { method: 'getTransactions', params: { address: wallet, limit: 5 } },
    { method: 'v3.masterchainInfo', params: {} },
    { method: 'v3.transactions', params: { account: [wallet], limit: 5, sort: 'desc' } },
    { method: 'v3.actions', params: { account: wallet, limit: 5 } },
  ])
}

const pathOf = (random: Random): string => {
  const address = addressOf(random.pick(WALLETS))
  return random.pick([
    '/api/v2/getMasterchainInfo',
    `/api/v2/getAddressInformation?address=${address}`,
    `/api/v3/accountStates?address=${address}`,
    `/api/v3/transactions?account=${address}&limit=${1 + random.below(20)}`,
    `/api/v3/traces?account=${address}&limit=3`,
    '/api/v3/blocks?limit=10&sort=desc',
  ])
}

const requestOf = (ids: Ids, random: Random) => ({ jsonrpc: '2.0', id: ids.next(), ...callOf(random) })

/** Takes an answer of JSON-RPC. */
const take = (ids: Ids, reply: { readonly id?: unknown; readonly result?: unknown }): void => {
  ids.answer(reply.id)
  if (reply.result === undefined) throw new Error(`refused: ${JSON.stringify(reply).slice(0, 300)}`)
}

/** Requests over HTTP: how each is made, and what is done with its answer. */
const HTTP = {
  single(ids: Ids, random: Random) {
    return {
      request: post('/jsonRPC', JSON.stringify(requestOf(ids, random))),
      take: ({ json }: WireAnswer) => take(ids, json as object),
    }
  },
  batch(ids: Ids, random: Random) {
    const requests = Array.from({ length: BATCH }, () => requestOf(ids, random))
    return {
      request: post('/jsonRPC', JSON.stringify(requests)),
      take({ json }: WireAnswer) {
        for (const each of json as object[]) take(ids, each)
      },
    }
  },
  rest(ids: Ids, random: Random) {
    return {
      request: get(pathOf(random), `X-Request-Id: ${ids.next()}`),
      take: ({ headers }: WireAnswer) => ids.answer(headers['x-request-id']),
    }
  },
}

export const createHttpCaller = (port: number, ids: Ids, random: Random): Caller => {
  let connection: Connection | undefined
  let count = 0
  const close = (): void => connection?.destroy()
  return {
    async ask() {
      if (count++ % PER_CONNECTION === 0) {
        close()
        connection = await openConnection(port)
      }
      const { request, take: takeAnswer } = HTTP[random.pick(['single', 'single', 'rest', 'rest', 'batch'] as const)](ids, random)
      await connection!.send(request)
      const answer = await connection!.answer()
      if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.text.slice(0, 300)}`)
      takeAnswer(answer)
      const left = connection!.left()
      if (left.length > 0) throw new Error(`more than one answer: ${left.toString('latin1', 0, 300)}`)
    },
    close,
  }
}

/** Calls over a WebSocket, a few at a time. */
export const createSocketCaller = (port: number, ids: Ids, random: Random): Caller => {
  let socket: WebSocket | undefined
  let count = 0
  let left = 0
  let done: () => void = () => {}
  let fail: (error: Error) => void = () => {}
  const open = async (): Promise<void> => {
    const opened = new WebSocket(`ws://127.0.0.1:${port}/jsonRPC`)
    socket = opened
    opened.on('message', (data) => {
      try {
        take(ids, JSON.parse(String(data)) as object)
      } catch (error) {
        fail(error as Error)
      }
      if (--left === 0) done()
    })
    await new Promise<void>((resolve, reject) => {
      opened.once('open', resolve)
      opened.on('error', reject)
    })
    opened.on('error', (error) => fail(error))
    opened.on('close', (code) => socket === opened && fail(new Error(`a socket was closed with ${code}`)))
  }
  const close = (): void => {
    const closed = socket
    socket = undefined
    closed?.close()
  }
  return {
    async ask() {
      if (count++ % PER_CONNECTION === 0) {
        close()
        await open()
      }
      const requests = Array.from({ length: 1 + random.below(4) }, () => requestOf(ids, random))
      left = requests.length
      await new Promise<void>((resolve, reject) => {
        done = resolve
        fail = reject
        for (const request of requests) socket!.send(JSON.stringify(request))
      })
    },
    close,
  }
}
