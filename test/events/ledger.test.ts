import type { Address } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../kit/random.ts'
import type { V3Service } from '../kit/service/service.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type Event, type RpcReader, readRpc, type Sender, startEvents, stranger } from './kit.ts'

/* A reader that loses its socket at any moment keeps a ledger; in the end it is what v3 knows, each entry once. TONWAY_LEDGER_ROUNDS makes it longer. */

const ROUNDS = Number(process.env['TONWAY_LEDGER_ROUNDS'] ?? 6)

/** Hashes and ids by the masterchain block of their cursor; a reset removes what is above it. */
const createLedger = () => {
  const entries: { readonly key: string; readonly seqno: number }[] = []
  const doubles: string[] = []
  let cursor: string | undefined
  return {
    cursor: () => cursor,
    keys: () => entries.map(({ key }) => key).sort(),
    doubles,
    take(event: Event) {
      cursor = event.cursor ?? cursor
      if (event.type === 'reset') {
        const kept = entries.filter(({ seqno }) => seqno <= event.seqno!)
        entries.splice(0, entries.length, ...kept)
      }
      const seqno = Number((event.cursor ?? '').split('.', 1)[0])
      const add = (key: string): void => {
        if (entries.some((each) => each.key === key)) doubles.push(key)
        entries.push({ key, seqno })
      }
      if (event.type === 'transactions') for (const { hash } of event.transactions!) add(`tx ${hash}`)
      if (event.type === 'actions') for (const { action_id } of event.actions!) add(`action ${action_id}`)
      if (event.type === 'trace') add(`trace ${event['trace_id']}`)
    },
  }
}

let service: V3Service
let sender: Sender
beforeAll(async () => {
  ;({ service, sender } = await startEvents())
})
afterAll(() => service?.close())

describe('a ledger of events', () => {
  it(`over lost sockets and reverts is what v3 knows, each transaction, action and trace once`, async () => {
    const random = createRandom(20)
    const accounts: Address[] = [stranger(), stranger(), stranger()]
    const params = { types: ['transactions', 'actions', 'trace'], addresses: accounts.map(rawOf) }
    const ledger = createLedger()
    let reader: RpcReader | undefined
    let taken = 0
    const take = (most: number): void => {
      const events = reader!.events.slice(taken, taken + most)
      taken += events.length
      for (const event of events) ledger.take(event)
    }
    const connect = async (): Promise<void> => {
      const since = ledger.cursor()
      reader = await readRpc(service.tonway.wsUrl, { ...params, ...(since !== undefined && { since }) })
      taken = 0
    }
    await connect()
    take(1)
    for (let round = 0; round < ROUNDS; round++) {
      const seqno = sender.seqno()
      const { snapshot } = await service.call('local.snapshot', {})
      for (let i = 0; i < 2; i++) await sender.send([accounts[random.below(3)]!], `round ${round}`)
      if (round % 3 === 1) {
        take(random.below(6))
        await service.call('local.revert', { snapshot })
        sender.rewind(seqno)
      }
      if (round % 2 === 0) {
        take(random.below(8))
        reader!.close()
        await sender.send([accounts[0]!], 'while nobody listens')
        await connect()
      }
    }
    await sender.send(accounts, 'the last')
    const keys = new Set<string>()
    for (const account of accounts) {
      const { transactions } = (await service.get<{ transactions: { hash: string }[] }>(`transactions?account=${rawOf(account)}&limit=50`))
        .body
      for (const { hash } of transactions) keys.add(`tx ${hash}`)
      const { actions } = (await service.get<{ actions: { action_id: string }[] }>(`actions?account=${rawOf(account)}&limit=50`)).body
      for (const { action_id } of actions) keys.add(`action ${action_id}`)
      const { traces } = (await service.get<{ traces: { trace_id: string }[] }>(`traces?account=${rawOf(account)}&limit=50`)).body
      for (const { trace_id } of traces) keys.add(`trace ${trace_id}`)
    }
    await until(() => {
      take(1_000)
      return ledger.keys().length >= keys.size
    })
    expect(ledger.doubles).toEqual([])
    expect(ledger.keys()).toEqual([...keys].sort())
    reader!.close()
  })
})
