import { WalletContractV4 } from '@ton/ton'
import { expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { AccountState } from '../../server/chain/chain-port.ts'
import { createAccounts } from '../../server/emulate/accounts.ts'
import { readOverrides } from '../../server/emulate/overrides.ts'
import { composeRequest } from '../../server/emulate/ton-connect.ts'
import type { AccountId, BlockId } from '../../server/tlb/ids.ts'
import { wideTree } from '../kit/bombs.ts'
import { applyAccountInput } from '../kit/chain/account-input.ts'
import { timeTurns } from '../kit/turns.ts'
import { ownCell } from '../kit/tvm/cells.ts'

const { signal } = new AbortController()
const NOW = 1_800_000_000

it('overrides of sixteen accounts with 20,000 cells, all in memory, have turns of their own', async () => {
  const ids = Array.from({ length: 16 }, (_, i): AccountId => ({ workchain: 0, hash: new Uint8Array(32).fill(i) }))
  const input = { balance: 1n, code: beginCell().end(), data: wideTree(20_000) }
  const accountCell = applyAccountInput(undefined, ids[0]!, { account: ids[0]!, ...input }, NOW)
  const account = async (id: AccountId) => ({ id, accountCell, genLt: 1n, genUtime: NOW }) as AccountState
  const { stateOf } = await readOverrides(
    ids.map((id) => ({ address: { ...id, form: 'raw' as const, bounceable: true, testOnly: false }, balance: 5n })),
    NOW,
    { cells: 1 },
  )
  const { get } = createAccounts({ account }, { at: {} as BlockId, stateOf }, signal)
  const { longest, all } = await timeTurns(() => Promise.all(ids.map(get)))
  expect(longest).toBeLessThan(all / 4)
})

it('payloads of a TON Connect request with as many cells as a message may have are read in several turns', async () => {
  const { code, data } = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 1) }).init
  const init = { code: ownCell(code), data: ownCell(data) }
  const wallet = { id: { workchain: 0, hash: new Uint8Array(32) }, account: { state: { type: 'active', init } } } as AccountState
  const payload = serializeBoc(wideTree(8_000))
  const messages = Array.from({ length: 4 }, () => ({ address: `0:${'11'.repeat(32)}`, amount: 1n, payload, stateInit: undefined }))
  const compose = () => composeRequest(wallet, { messages, validUntil: NOW, now: NOW })
  await compose()
  const { longest, all } = await timeTurns(compose)
  expect(longest).toBeLessThan(all * 0.6)
})
