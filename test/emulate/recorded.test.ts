import { afterAll, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { dictEntries } from '../../server/cell/dict.ts'
import type { AccountState, Chain } from '../../server/chain/chain-port.ts'
import { createEmulator } from '../../server/emulate/emulator.ts'
import { loadBlock, loadBlockExtra } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { visitTransactionCells } from '../../server/tlb/block/block-transactions.ts'
import { loadShardAccount } from '../../server/tlb/state/shard-account.ts'
import { loadTransaction, type Transaction } from '../../server/tlb/transaction/transaction.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { readData } from '../kit/data.ts'

/* Messages of a recorded mainnet block, emulated on the states before it as if they were sent to this service. */

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
afterAll(() => tvm.close())

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Block 0:8000000000000000:71398501 of mainnet (version 13), and a chain that ends before it. */
const readRecorded = () => {
  const parts = parseBocRoot(readData('tvm/states-71398500.boc')).slice()
  const [states, libraries, prevBlocks, config] = [parts.loadRef(), parts.loadRef(), parts.loadRef(), parts.loadRef()]
  const accounts = new Map(
    [...dictEntries(states, 256, { cells: 1e9 })].map(([id, value]) => [id.toString(16).padStart(64, '0'), loadShardAccount(value)]),
  )
  const known = new Map(
    [...dictEntries(libraries, 256, { cells: 1e9 })].map(([hash, value]) => [hash.toString(16).padStart(64, '0'), value.loadRef()]),
  )
  const root = parseBocRoot(readData('blocks/tonutils-block_0_8000000000000000_71398501.boc'))
  const block = loadBlock(root)
  const info = loadBlockInfo(block.info)
  const transactions: Transaction[] = []
  visitTransactionCells(root, (cell) => transactions.push(loadTransaction(cell)))
  const zeros = new Uint8Array(32)
  const masterchain = { workchain: -1, shard: -(2n ** 63n), seqno: 1, rootHash: zeros, fileHash: zeros }
  const chain = {
    account: async (id: { readonly workchain: number; readonly hash: Uint8Array }) =>
      ({
        ...accounts.get(hex(id.hash)),
        id,
        block: masterchain,
        shardBlock: { ...masterchain, workchain: id.workchain, seqno: info.seqno - 1 },
        genLt: info.startLt,
        genUtime: info.genUtime - 1,
      }) as unknown as AccountState,
    config: async () => ({ root: config, prevBlocks }),
    blockHeader: async () => ({ info: { genUtime: info.genUtime - 1, endLt: info.startLt } }),
    libraries: async (hashes: readonly Uint8Array[]) =>
      hashes.flatMap((hash) => {
        const found = known.get(hex(hash))
        return found === undefined ? [] : [{ hash, code: found }]
      }),
  } as unknown as Chain
  return { chain, transactions, accounts, at: masterchain, now: info.genUtime, randSeed: loadBlockExtra(block.extra).randSeed }
}

/** What of a transaction does not depend on its lt. */
const resultOf = ({ description, outMsgs, totalFees, endStatus }: Transaction) => {
  const compute = 'compute' in description ? description.compute : undefined
  const vm = compute?.type === 'vm' ? { exitCode: compute.exitCode, gasUsed: compute.gasUsed, steps: compute.vmSteps } : compute
  const bodies = outMsgs.map(({ info, body }) => [
    info.type,
    body.hashHex(),
    'value' in info ? info.value.grams : 0n,
    'fwdFee' in info ? info.fwdFee : 0n,
  ])
  return { vm, bodies, totalFees: totalFees.grams, endStatus, aborted: 'aborted' in description && description.aborted }
}

it('the first transactions of 120 accounts of a mainnet block come out with the recorded exit codes, gas, steps, fees, messages and statuses', async () => {
  const { chain, transactions, accounts, at, now, randSeed } = readRecorded()
  const emulator = createEmulator({ chain, tvm })
  const first = new Map<string, Transaction>()
  for (const transaction of transactions) {
    const id = hex(transaction.account)
    if (first.size < 120 && !first.has(id) && accounts.has(id) && transaction.inMsg !== undefined) first.set(id, transaction)
  }
  let equal = 0
  for (const recorded of first.values()) {
    const request = { starts: [{ message: recorded.inMsg!.root }], at, now, randSeed }
    const { nodes } = await emulator.trace(request, AbortSignal.timeout(60_000))
    const made = nodes[0]!.transaction
    if (made.root.equals(recorded.root)) equal++
    expect([hex(recorded.account), resultOf(made)]).toEqual([hex(recorded.account), resultOf(recorded)])
  }
  // The lt of the others comes from what the collator did before them, which is not known before the block.
  expect(equal).toBeGreaterThan(0)
}, 120_000)
