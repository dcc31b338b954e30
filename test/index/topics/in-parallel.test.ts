import { expect, it } from 'vitest'
import { inParallel } from '../../../server/base/in-parallel.ts'
import { yieldToEventLoop } from '../../../server/base/yield.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { evaluateName } from '../../../server/index/topics/nfts/dns.ts'
import type { AccountView, TopicContext } from '../../../server/index/topics/topic.ts'
import type { VmStackValue } from '../../../server/tlb/vm-stack/vm-stack.ts'
import { fullDict } from '../../kit/hostile-cells.ts'
import { timeTurns } from '../../kit/turns.ts'

const NAMES = 60

/** dns_text of 15 chunks. */
const textRecord = (): Cell => {
  const chunk = () => beginCell().storeUint(120, 8).storeBytes(new Uint8Array(120).fill(0x61))
  let cell = chunk().end()
  for (let i = 0; i < 13; i++) cell = chunk().storeRef(cell).end()
  return beginCell().storeUint(0x1eda, 16).storeUint(15, 8).storeUint(0, 8).storeRef(cell).end()
}

it('no run in parallel begins after one has failed', async () => {
  let runs = 0
  const run = async (item: number): Promise<void> => {
    runs += 1
    await yieldToEventLoop()
    if (item === 0) throw new Error('the first run')
  }
  await expect(inParallel([...Array(100).keys()], run, 4)).rejects.toThrow('the first run')
  for (let i = 0; i < 100; i++) await yieldToEventLoop()
  expect(runs).toBeLessThan(10)
})

it('the records of many names in one block are read in turns of the event loop', async () => {
  const records = fullDict(256, { value: beginCell().storeRef(textRecord()).end() }, 8)
  const stacks: Readonly<Record<string, readonly VmStackValue[]>> = {
    get_domain: [{ type: 'slice', cell: beginCell().storeBytes(Buffer.from('alice')).end() }],
    dnsresolve: [
      { type: 'int', value: 8n },
      { type: 'cell', cell: records },
    ],
  }
  // A quick get-method ends in the turn in which it begins.
  const run = async (_: AccountView, method: string) => ({ exitCode: 0, stack: stacks[method] ?? [] })
  const accounts = Array.from({ length: NAMES }, (_, i) => ({ key: Buffer.alloc(36, i), mcSeqno: 1 }) as AccountView)
  let names: readonly unknown[] = []
  const { longest, all } = await timeTurns(async () => {
    names = await inParallel(accounts, (account) => evaluateName(account, 'ton', { run } as unknown as TopicContext))
  })
  expect(names).toHaveLength(NAMES)
  expect(names[0]).toMatchObject({ domain: 'alice.ton' })
  expect(longest).toBeLessThan(all / 3)
})
