import { afterAll, expect, it } from 'vitest'
import { endSteps } from '../../../server/base/yield.ts'
import { uniqueCells } from '../../../server/cell/budget.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { createCellLog } from '../../../server/chain/local/store/cell-log.ts'
import { HEADER_BYTES } from '../../../server/chain/local/store/log-file.ts'
import { landedBytes } from '../../../server/chain/local/store/packed-cells.ts'
import { type AccountId, WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { rawAddress } from '../../../server/tlb/raw-address.ts'
import type { TransactionOptions, Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { ownWallet } from '../../kit/chain/own-wallet.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { countTurns } from '../../kit/turns.ts'

/* An account may have 65,536 cells, whoever fills it. */

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
let chain: LocalChain | undefined
afterAll(async () => {
  await chain?.close()
  await tvm.close()
})

const { signal } = new AbortController()

/** A tree of distinct cells: 4^levels leaves. */
const wide = (levels: number, name = 1): Cell => {
  const b = beginCell().storeUint(name, 32)
  if (levels > 0) for (let i = 0; i < 4; i++) b.storeRef(wide(levels - 1, name * 4 + i))
  return b.end()
}

const countCells = (root: Cell): number => [...uniqueCells([root], { cells: 1 << 17 })].length

it('cells that stand together in the log are read together', async () => {
  let file = Buffer.alloc(HEADER_BYTES)
  let reads = 0
  const read = (target: Buffer, at: number): number => {
    reads++
    return file.copy(target, 0, at, at + target.length)
  }
  const packed = endSteps(createCellLog(read).packSteps([{ root: wide(6), before: undefined }]))
  const place = packed.roots[0]! - 2 ** 39 + HEADER_BYTES / 8
  const bytes = landedBytes(packed, HEADER_BYTES)
  file = Buffer.concat([file, bytes])
  const log = createCellLog(read)
  expect(countCells(log.load(place))).toBe(5461)
  expect(reads).toBeLessThan(200)
  // What was read is used only until other code runs: that may write the file.
  const root = log.load(place)
  await undefined
  file = Buffer.concat([file.subarray(0, HEADER_BYTES), Buffer.alloc(bytes.length, 0xff)])
  expect(() => root.ref(0)).toThrow(/no cell/)
})

it('an account of 50,000 cells is read and sent while other work has its turns', async () => {
  chain = await createTestChain(tvm)
  const account = { workchain: 0, hash: new Uint8Array(32).fill(0x51) }
  const data = beginCell()
  for (let i = 0; i < 2; i++) data.storeRef(wide(7, i + 2))
  await chain.control.setAccount(account, { balance: 10n ** 9n, code: beginCell().end(), data: data.end() }, signal)
  const { last } = await chain.query('getMasterchainInfo', {}, signal)
  const turns = countTurns()
  const { state } = await chain.query('getAccountState', { id: last, account }, signal)
  turns.stop()
  expect(state.length).toBeGreaterThan(300_000)
  expect(turns.count()).toBeGreaterThan(1)
})

it('a message that is checked waits in line with those to its account, makes no account, and does not delay blocks', async () => {
  const wallet = ownWallet(0)
  const seen: (TransactionOptions | undefined)[] = []
  const cellsAfter: (number | undefined)[] = []
  const watched: Tvm = {
    ...tvm,
    async runTransaction(request, stop, options) {
      seen.push(options)
      const outcome = await tvm.runTransaction(request, stop, options)
      cellsAfter.push(outcome.ok ? countCells(outcome.shardAccount.accountCell) : undefined)
      return outcome
    },
  }
  const small = await createTestChain(watched, { accounts: [wallet.account] })
  try {
    seen.length = 0
    cellsAfter.length = 0
    await small.query('sendMessage', { body: wallet.transfer(0, wallet.id, 1n) }, signal)
    await small.control.idle(signal)
  } finally {
    await small.close()
  }
  const [checked, ...inBlocks] = seen
  expect(checked).toEqual({ client: `messages to ${rawAddress(0, wallet.id.hash)}` })
  expect(inBlocks.length).toBeGreaterThan(0)
  for (const options of inBlocks) expect(options).toEqual({ urgent: true })
  // A check makes no account, which takes longest if it is large.
  expect(cellsAfter[0]).toBe(1)
  expect(cellsAfter[1]).toBeGreaterThan(1)
})

it('setAccount and setConfig refuse more cells than an account may have, also when they are set one after another', async () => {
  const tooLarge = { kind: 'INVALID_PARAMS', message: expect.stringMatching(/^the account would have \d+ cells, and may have 65536$/) }
  chain ??= await createTestChain(tvm)
  const { control } = chain
  const account = { workchain: 0, hash: new Uint8Array(32).fill(0x52) }
  const [half, other] = [wide(7, 2), beginCell().storeRef(wide(7, 3)).storeRef(wide(7, 4)).end()]
  await control.setAccount(account, { data: half }, signal)
  await expect(control.setAccount(account, { code: other }, signal)).rejects.toMatchObject(tooLarge)
  await control.setConfig(new Map([[-1000, half]]), signal)
  await expect(control.setConfig(new Map([[-1001, other]]), signal)).rejects.toMatchObject(tooLarge)
  // In the place of the first there is room for it.
  await control.setConfig(new Map([[-1000, other]]), signal)
  const { last: block } = await chain.query('getMasterchainInfo', {}, signal)
  const turns = countTurns()
  await chain.query('getConfigAll', { mode: 0, id: block }, signal)
  turns.stop()
  // It is read in one turn, and written in another.
  expect(turns.count()).toBeGreaterThan(1)
})

it('large blocks are read, and large transactions listed, while other work has its turns', async () => {
  chain ??= await createTestChain(tvm)
  const { control } = chain
  const [from, account] = [0x53, 0x54].map((byte) => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) })) as [AccountId, AccountId]
  await control.setAccount(
    { workchain: 0, hash: new Uint8Array(32).fill(0x55) },
    { data: beginCell().storeRef(wide(7)).storeRef(wide(7, 2)).end() },
    signal,
  )
  const { last: id } = await chain.query('getMasterchainInfo', {}, signal)
  const turns = countTurns()
  const lookup = () =>
    chain!.query('lookupBlock', { id: { workchain: 0, shard: WHOLE_SHARD, seqno: id.seqno }, by: { seqno: true } }, signal)
  // Nobody has read it yet.
  await Promise.all([lookup(), lookup(), lookup()])
  turns.stop()
  expect(turns.count()).toBeGreaterThan(0)
  // DROP: takes everything. 5,461 cells each.
  await control.setAccount(
    account,
    {
      balance: 10n ** 12n,
      code: beginCell()
        .storeBytes(new Uint8Array([0x30]))
        .end(),
    },
    signal,
  )
  for (let i = 0; i < 5; i++) await control.sendInternal({ from, to: account, value: 10n ** 9n, body: wide(6, 1 + i) }, signal)
  const reader = createChain({ source: chain, tvm })
  const { lastTransLt: lt, lastTransHash: hash } = await reader.account(account, undefined, signal)
  const { ids } = await chain.query('getTransactions', { account, lt, hash, count: 16 }, signal)
  expect(ids).toHaveLength(3)
  const { transactions } = await reader.transactions(account, { from: undefined, limit: 16, toLt: 0n }, signal)
  expect(transactions).toHaveLength(5)
})
