import { isDeepStrictEqual } from 'node:util'
import { Address, beginCell, type Cell, external, storeMessage } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../kit/free-port.ts'
import { createRandom, seed } from '../kit/random.ts'
import { ask, CallError, rpc } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'
import { dialLite, type FunctionName, type LiteClient, serveLite, spanAt, tlError } from './lite-server.ts'
import { createFollower, createStation } from './station.ts'

/* A lite-server that lies, between a service and the chain of another one. */

interface Span {
  readonly from: number
  readonly to: number
}

/** What a liar makes of the true answer; undefined: no answer. */
type Lie = (answer: Buffer, hangUp: () => void) => Buffer | undefined

interface GlobalConfig {
  readonly liteservers: readonly { readonly id: { readonly key: string } }[]
  readonly validator: object
}

/** Bytes of tonNode.blockIdExt. */
const BLOCK_ID = 80
/** Changed answers of one kind. */
const FLIPS = 20
/** Takes every message: `ACCEPT`. */
const CODE = beginCell().storeUint(0xff00f800, 32).endCell()
const ACCOUNTS = Array.from({ length: 2 * FLIPS }, (_, n) => new Address(0, Buffer.alloc(32, n + 1)).toRawString())
const base64 = (cell: Cell): string => cell.toBoc().toString('base64')

const random = createRandom(seed)
const open: { close(): unknown }[] = []
const keep = <T extends { close(): unknown }>(each: T): T => {
  open.push(each)
  return each
}
let chain = ''
let config: GlobalConfig
let honest: LiteClient
beforeAll(async () => {
  const port = await freePort()
  const settings = ['--index', 'off', '--block-time', '0', '--liteserver-port', String(port), '--anonymous-rps', 'unlimited']
  chain = await keep(createStation({ settings })).start()
  for (const [n, address] of ACCOUNTS.entries()) {
    const data = base64(beginCell().storeBuffer(Buffer.alloc(120, n)).endCell())
    await rpc(chain, 'local.setAccount', { address, code: base64(CODE), data, balance: '1000000000' })
  }
  config = (await ask<GlobalConfig>(`${chain}/global.config.json`)).body
  honest = keep(await dialLite(port, config.liteservers[0]!.id.key))
})
afterAll(async () => {
  for (const each of open.reverse()) await each.close()
})

/** Starts a service that follows the chain through a liar, by several connections. The liar is honest about every function that `lies` has no lie of. */
const follow = async (lies: Partial<Record<FunctionName, Lie>>, connections: number): Promise<string> => {
  const liar = await serveLite(async ({ name, plain }, hangUp) => {
    const answer = await honest.ask(plain)
    const lie = name && lies[name]
    return lie ? lie(answer, hangUp) : answer
  })
  return keep(createFollower(config.validator, Array(connections).fill(keep(liar)))).start()
}

it('a message arrives once, whatever a lite-server says after it has taken it', async () => {
  const UNKNOWN = 'the message was sent, but no lite-server said whether it accepted it'
  const ENDS: readonly (readonly [Lie, string])[] = [
    [() => Buffer.from('nonsense'), UNKNOWN],
    [(answer) => answer.subarray(0, 4), UNKNOWN],
    [() => tlError(0, 'not accepted'), 'not accepted'],
    // The last one, because a server that hung up may be set aside for a quarter of a minute.
    [(_answer, hangUp) => void hangUp(), UNKNOWN],
  ]
  let sent = 0
  let end = ENDS[0]![0]
  const sendMessage: Lie = (answer, hangUp) => {
    sent++
    return end(answer, hangUp)
  }
  const url = await follow({ sendMessage }, 1)
  for (const [n, [next, said]] of ENDS.entries()) {
    end = next
    sent = 0
    const address = ACCOUNTS[n]!
    const body = beginCell().storeUint(n, 32).endCell()
    const message = external({ to: Address.parse(address), body })
    await expect(rpc(url, 'sendBoc', { boc: base64(beginCell().store(storeMessage(message)).endCell()) })).rejects.toThrow(said)
    const count = async (): Promise<number> => (await rpc<readonly unknown[]>(chain, 'getTransactions', { address, limit: 10 })).length
    await until(async () => (await count()) > 0)
    // What was sent to it before this question has come by the answer.
    const isAnswered = (): Promise<boolean> =>
      rpc(url, 'getConfigParam', { config_id: 15 + n }).then(
        () => true,
        () => false,
      )
    await until(isAnswered)
    await rpc(chain, 'local.mine')
    expect([sent, await count()]).toEqual([1, 1])
  }
}, 60_000)

it('an answer with a proof in which one bit is changed is refused, or means the same', async () => {
  const { last } = await rpc<{ readonly last: { readonly seqno: number } }>(chain, 'getMasterchainInfo')
  const id = { workchain: -1, shard: '-9223372036854775808' }
  /** Where the account is in liteServer.accountState: behind two ids and two proofs. */
  const state = (answer: Buffer): Span => spanAt(answer, spanAt(answer, spanAt(answer, 4 + 2 * BLOCK_ID).next).next)
  const ids = (): Span => ({ from: 4, to: 4 + BLOCK_ID })
  const all = (answer: Buffer): Span => ({ from: 4, to: answer.length })
  const CASES: readonly (readonly [FunctionName, (answer: Buffer) => Span, string, (n: number) => object])[] = [
    ['getAccountState', state, 'getAddressInformation', (n) => ({ address: ACCOUNTS[n]! })],
    ['getAccountState', all, 'getAddressInformation', (n) => ({ address: ACCOUNTS[FLIPS + n]! })],
    ['lookupBlockWithProof', ids, 'lookupBlock', (n) => ({ ...id, seqno: last.seqno - 1 - n })],
    ['getAllShardsInfo', all, 'shards', (n) => ({ seqno: last.seqno - 1 - n })],
  ]
  /** What is lied about next. */
  let next: (typeof CASES)[number] | undefined
  const lies = Object.fromEntries(
    CASES.map(([name]) => {
      const lie: Lie = (answer) => {
        if (next?.[0] !== name) return answer
        const { from, to } = next[1](answer)
        next = undefined
        const changed = Buffer.from(answer)
        const bit = random.below(8 * (to - from))
        changed[from + (bit >> 3)]! ^= 1 << (bit & 7)
        return changed
      }
      return [name, lie]
    }),
  )
  // A connection by which a lie came is not used for a while, so there is one for each.
  const url = await follow(lies, CASES.length * FLIPS + 10)
  const meaning = (at: string, method: string, params: object): Promise<unknown> =>
    rpc(at, method, params).catch((error: unknown) => {
      if (error instanceof CallError) return error
      throw error
    })
  const wrong: unknown[] = []
  let refused = 0
  for (let n = 0; n < FLIPS; n++)
    for (const each of CASES) {
      const [, , method, params] = each
      next = each
      const told = await meaning(url, method, params(n))
      const isTold = next === undefined
      const truth = await meaning(chain, method, params(n))
      if (told instanceof CallError) refused++
      else if (!isTold || !isDeepStrictEqual(told, truth)) wrong.push({ method, params: params(n), isTold, told, truth })
    }
  expect(wrong).toEqual([])
  // The answer comes by another connection then.
  expect(refused).toBeLessThan((CASES.length * FLIPS) / 2)
}, 120_000)
