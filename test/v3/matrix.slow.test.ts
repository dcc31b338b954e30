import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { pathOf } from '../../shared/entries.ts'
import { ERRORS, type ErrorKind } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { type MethodName, methodNames, registry } from '../../shared/registry.ts'
import { ask } from '../kit/service/client.ts'
import { type Example, examples } from '../kit/service/examples.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { createWaysToCall, type Reply, type WayToCall } from '../kit/service/ways-to-call.ts'
import { ECHO_OPCODE, playScene, rawOf, type Scene, STRANGER } from './scene.ts'

/* Every example of every method that needs the index through every door: one answer for all, on a chain that stands still. */

const statusOf = (kind: string): number => ERRORS[kind as ErrorKind].http

const doorsOf = (def: MethodDef): readonly string[] => [
  ...(def.rest.includes('GET') ? ['REST GET'] : []),
  ...(def.rest.includes('POST') ? ['REST POST'] : []),
  ...['dialect', 'strict', 'batch', 'ws'],
]

let service: V3Service
let scene: Scene
let transports: Record<string, WayToCall>
beforeAll(async () => {
  service = await startV3()
  scene = await playScene(service)
  transports = createWaysToCall(service.url, statusOf)
})
afterAll(() => service?.close())

describe('every method of the index through every door', () => {
  const indexed = methodNames.filter((name) => registry[name].needs === 'index' && registry[name].rest !== 'none')
  it('the registry has methods of the index', () => expect(indexed.length).toBeGreaterThan(22))

  for (const name of indexed) {
    const def: MethodDef = registry[name]
    for (const example of examples[name] as readonly Example<MethodName>[])
      it(`${name}: ${example.title}`, async () => {
        const replies: Record<string, Reply> = {}
        for (const door of doorsOf(def)) replies[door] = await transports[door]!(name, example.params)
        const first = Object.values(replies)[0]!
        for (const [door, reply] of Object.entries(replies)) expect(reply, door).toEqual(first)
        if (example.fails) expect(first).toMatchObject({ status: statusOf(example.fails) })
        else if ('result' in first) expect(z.safeParse(def.result as z.ZodType, first.result).error?.issues ?? []).toEqual([])
        else expect.fail(`${first.status} ${first.error}`)
        for (const alias of def.aliases ?? []) expect(await transports['REST GET']!(alias, example.params)).toEqual(first)
      })
    it(`${name}: the other verb is refused`, async () => {
      const get = def.rest === 'GET'
      const path = pathOf(name)
      const response = await ask(`${service.url}${path}`, get ? { method: 'POST', body: '{}' } : {})
      expect([response.status, response.headers.get('allow')]).toEqual([405, get ? 'GET, HEAD' : 'POST'])
      expect(response.body).toEqual({ error: `unsupported http method: ${get ? 'POST' : 'GET'}`, code: 405 })
    })
  }
})

/** Calls about what the scene holds, one or more of every method of blocks, transactions, accounts and traces, and what must not be empty in the answer. */
const ABOUT_THE_SCENE: readonly (readonly [MethodName, () => Promise<object> | object, string])[] = [
  ['v3.masterchainInfo', () => ({}), 'last'],
  ['v3.blocks', () => ({ workchain: -1, limit: 3, cursor: '' }), 'blocks'],
  ['v3.masterchainBlockShardState', () => ({ seqno: 2 }), 'blocks'],
  ['v3.masterchainBlockShards', () => ({ seqno: 2, limit: 2 }), 'blocks'],
  ['v3.transactions', () => ({ account: [scene.wallet.address.toString(), rawOf(STRANGER)], limit: 100 }), 'transactions'],
  ['v3.transactions', async () => ({ hash: [await rootHash()] }), 'transactions'],
  ['v3.transactions', () => ({ opcode: `0x${ECHO_OPCODE.toString(16)}`, direction: 'in' }), 'transactions'],
  ['v3.transactionsByMasterchainBlock', () => ({ seqno: 2, sort: 'asc' }), 'transactions'],
  ['v3.transactionsByMessage', () => ({ msg_hash: [firstHash()] }), 'transactions'],
  ['v3.adjacentTransactions', async () => ({ hash: await rootHash(), direction: 'out' }), 'transactions'],
  ['v3.messages', () => ({ source: rawOf(scene.wallet.address), limit: 100 }), 'messages'],
  ['v3.messages', () => ({ only_externals: true }), 'messages'],
  ['v3.accountStates', () => ({ address: [rawOf(scene.wallet.address), rawOf(STRANGER)] }), 'accounts'],
  ['v3.walletStates', () => ({ address: [rawOf(scene.wallet.address)] }), 'wallets'],
  ['v3.addressBook', () => ({ address: [rawOf(scene.wallet.address), 'nonsense'] }), ''],
  ['v3.topAccountsByBalance', () => ({ limit: 3, offset: 1 }), ''],
  ['v3.traces', () => ({ msg_hash: [firstHash()], include_actions: true }), 'traces'],
  ['v3.traces', () => ({ account: rawOf(STRANGER), limit: 100 }), 'traces'],
  ['v3.addressInformation', () => ({ address: scene.wallet.address.toString() }), 'code'],
  ['v3.walletInformation', () => ({ address: scene.wallet.address.toString(), use_v2: true }), 'wallet_type'],
  ['v3.runGetMethod', () => ({ address: rawOf(scene.wallet.address), method: 'get_public_key', stack: [] }), 'stack'],
  ['v3.runGetMethod', () => ({ address: rawOf(scene.wallet.address), method: 'get_plugin_list' }), 'stack'],
]
const firstHash = (): string => scene.first.hash().toString('base64')
const rootHash = async (): Promise<string> => (await service.call('v3.traces', { msg_hash: [firstHash()] })).traces[0]!.trace_id!

describe('answers about what is there, through every door', () => {
  it.each(ABOUT_THE_SCENE)('the answer about existing data is the same at every door: %s %#', async (name, paramsOf, member) => {
    const params = await paramsOf()
    const replies: Record<string, Reply> = {}
    for (const door of doorsOf(registry[name])) replies[door] = await transports[door]!(name, params)
    const first = Object.values(replies)[0]!
    for (const [door, reply] of Object.entries(replies)) expect(reply, door).toEqual(first)
    if (!('result' in first)) expect.fail(`${first.status} ${first.error}`)
    expect(z.safeParse(registry[name].result as z.ZodType, first.result).error?.issues ?? []).toEqual([])
    const told = member === '' ? first.result : (first.result as Record<string, unknown>)[member]
    expect(Object.keys(told as object).length).toBeGreaterThan(0)
  })
})
