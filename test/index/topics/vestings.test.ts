import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { beginCell } from '../../../server/cell/builder.ts'
import { EMPTY_CELL } from '../../../server/cell/cell.ts'
import { evaluateEach } from '../../../server/index/topics/contracts/detect.ts'
import type { AccountView, TopicContext } from '../../../server/index/topics/topic.ts'
import { evaluateVesting } from '../../../server/index/topics/wallets/vestings.ts'
import { stdAddress, storeAddressInt } from '../../../server/tlb/address.ts'
import { MAX_WHITELIST } from '../../../server/tlb/contracts/vesting.ts'
import type { VmStackValue } from '../../../server/tlb/vm-stack/vm-stack.ts'
import { fullDict } from '../../kit/hostile-cells.ts'

const MANY = 500
const LEVELS = 9

/* One block can have as many contracts with long whitelists as its sender pays for. */

it('the whitelists of many vesting wallets in one block are read in turns', async () => {
  const address: VmStackValue = { type: 'slice', cell: storeAddressInt(beginCell(), stdAddress(0, new Uint8Array(32).fill(1))).end() }
  const stack: VmStackValue[] = [
    ...[1_700_000_000n, 1_000n, 10n, 0n, 1_000_000n].map((value): VmStackValue => ({ type: 'int', value })),
    address,
    address,
    { type: 'cell', cell: fullDict(264, { value: EMPTY_CELL }, LEVELS) },
  ]
  const accounts = Array.from({ length: MANY }, (_, i): AccountView => {
    const hash = Buffer.alloc(32, i)
    return {
      ...{ key: Buffer.concat([Buffer.alloc(4), hash]), id: { workchain: 0, hash }, status: 'active', balance: 1n, lastTransLt: 1n },
      ...{ codeHash: hash, dataHash: hash, mcSeqno: 1, utime: 1 },
    }
  })
  const run = async () => ({ exitCode: 0, stack })
  let turns = 0
  let running = true
  const counting = (async () => {
    for (; running; turns++) await setImmediate()
  })()
  const began = performance.now()
  let leftOut = 0
  const leaveOut = (): void => void leftOut++
  const context = { run, states: async () => [], leaveOut } as unknown as TopicContext
  const rows = await evaluateEach(accounts, context, evaluateVesting)
  const took = performance.now() - began
  running = false
  await counting
  expect(rows.length).toBe(MANY)
  expect(rows.every(({ members }) => members.length === MAX_WHITELIST)).toBe(true)
  expect(leftOut).toBe(MANY)
  // Without turns there is one, after the last whitelist.
  expect(took).toBeGreaterThan(20)
  expect(turns).toBeGreaterThan(2)
})
