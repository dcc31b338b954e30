import { expect, it } from 'vitest'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { electorRows } from '../../../server/index/topics/validators/elections.ts'
import { viewElector } from '../../../server/index/topics/validators/elector-view.ts'
import { fullDict } from '../../kit/hostile-cells.ts'
import { startLocalIndex } from '../../kit/index/local-index.ts'
import { storeComplaint } from '../../kit/tlb/contracts.ts'
import { account, b64, raw, speaking } from './kit.ts'

/* A few dozen cells can say that an elector has millions of stakes. */

/** Data of an elector with 2^elections past elections of 2^stakes stakes each. */
const electorData = (elections: number, stakes: number) => {
  const frozen = beginCell().storeUint(5, 256).storeUint(1, 64).storeUint(0, 4).storeBit(0).end()
  const past = beginCell()
    .storeUint(1, 32)
    .storeUint(1, 32)
    .storeUint(7, 256)
    .storeBit(1)
    .storeRef(fullDict(256, { value: frozen }, stakes))
    .storeUint(0, 4)
    .storeUint(0, 4)
    .storeBit(0)
    .end()
  const pasts = fullDict(32, { value: past }, elections)
  return beginCell().storeUint(0b001, 3).storeRef(pasts).storeUint(0, 4).storeUint(0, 32).storeUint(0, 256).end()
}
/** A budget of 40,000 cells is enough for the 1,024 stakes of each of 19 elections. */
const TOO_MANY = electorData(8, 10)
const [PAST, STAKES, LEFT_OUT] = [256, 19 * 1_024, 256 - 19]

const rowsOfData = async (data: Cell) => {
  const view = viewElector(data)
  const snapshot = { elector: Buffer.alloc(36), mcSeqno: 1, view, whole: async () => view }
  let leftOut = 0
  const tables = await electorRows(snapshot, { rows: async () => [], leaveOut: () => void leftOut++ })
  return { rows: tables.reduce((sum, { rows }) => sum + rows.length, 0), leftOut }
}

it('the stakes of all past elections of an elector share one budget, and those beyond it are left out', async () => {
  expect(await rowsOfData(electorData(3, 10))).toEqual({ rows: 8 + 8 * 1_024, leftOut: 0 })
  expect(await rowsOfData(TOO_MANY)).toEqual({ rows: PAST + STAKES, leftOut: LEFT_OUT })
})

it('the descriptions of all complaints of a block share one budget, and those beyond it are left out', async () => {
  // 4,095 different cells: two references in each, twelve levels.
  const tree = (depth: number, n: number): Cell => {
    const b = beginCell().storeUint(n, 32)
    return depth === 0
      ? b.end()
      : b
          .storeRef(tree(depth - 1, 2 * n))
          .storeRef(tree(depth - 1, 2 * n + 1))
          .end()
  }
  const description = tree(11, 1)
  const fields = { validatorPubkey: Buffer.alloc(32), createdAt: 1, severity: 1, rewardAddr: Buffer.alloc(32), paid: 1n, suggestedFine: 1n }
  const complaint = storeComplaint({ ...fields, suggestedFinePart: 1, description })
  const status = { complaint, voters: undefined, vsetId: Buffer.alloc(32), weightRemaining: 1n, votes: [] }
  const changed = Array.from({ length: 40 }, (_, i) => ({ ...status, hash: Buffer.alloc(32, i) }))
  const past = { id: 1, unfreezeAt: 1, stakeHeld: 1, vsetHash: Buffer.alloc(32), totalStake: 1n, bonuses: 0n, complaints: undefined }
  const view = { elect: undefined, past: [{ ...past, frozen: undefined, changed }] }
  const snapshot = { elector: Buffer.alloc(36), mcSeqno: 1, view, whole: async () => undefined }
  const tables = await electorRows(snapshot, { rows: async () => [], leaveOut: () => {} })
  const { rows } = tables.find(({ table }) => table.name === 'validator_complaints')!
  const described = (rows as unknown as readonly { readonly description: Buffer }[]).filter((row) => row.description.length > 0)
  expect([rows.length, described.length]).toEqual([40, 32])
})

it('an index goes on after an elector with too many stakes, and has its elections', { timeout: 60_000 }, async () => {
  const index = await startLocalIndex()
  try {
    const elector = account(0x51, -1)
    const boc = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
    await index.call('local.setConfig', { params: { 1: boc(beginCell().storeBytes(elector.hash).end()) } })
    await index.call('local.setAccount', { address: raw(elector), balance: '1000000000', code: b64(speaking({})), data: boc(TOO_MANY) })
    await index.call('local.mine', { count: 2 })
    await index.indexed()
    const count = async (table: string) =>
      (await index.server.run<{ count: number }>(index.database, `select count(*)::int as count from ${table}`))[0]!.count
    expect([await count('validator_past_elections'), await count('validator_stakes')]).toEqual([PAST, STAKES])
    expect(await index.verified()).toEqual([])
  } finally {
    await index.close()
  }
})
