import { describe, expect, it } from 'vitest'
import { augGet } from '../../server/cell/aug.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { prevBlocksInfo } from '../../server/chain/prev-blocks.ts'
import { proofRoot } from '../../server/chain/proofs/roots.ts'
import { loadBlock } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { visitTransactionCells } from '../../server/tlb/block/block-transactions.ts'
import { configVersion } from '../../server/tlb/config/general.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { loadMcStateExtra } from '../../server/tlb/state/mc-state-extra.ts'
import { loadShardAccount, type ShardAccount, shardAccountsAug } from '../../server/tlb/state/shard-account.ts'
import { accountsOfState, loadShardState } from '../../server/tlb/state/shard-state.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import { readJson } from '../kit/data.ts'
import { machineValueOf, replayBlock } from '../kit/tvm/replay.ts'

/* Recorded transactions of older global versions, made again. */

interface Bundle {
  readonly blocks: readonly { readonly boc: string }[]
  readonly states: readonly { readonly named_root_hash: string; readonly boc: string }[]
}
const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')

describe('the executor', () => {
  it('makes all 65 transactions of mainnet block 0:8000000000000000:56703839 (version 11, September 2025) to the last bit', () => {
    const bundle = readJson<Bundle>('chain/mainnet-bundle-56703839.json')
    const states = new Map(bundle.states.map(({ named_root_hash, boc }) => [named_root_hash, boc]))
    const blocks = bundle.blocks.map(({ boc }) => parseBocRoot(bytes(boc)))
    const infoOf = (block: (typeof blocks)[number]) => loadBlockInfo(loadBlock(block).info)
    const block = blocks.find((each) => infoOf(each).seqno === 56_703_839)!
    const { prev, masterRef } = infoOf(block)
    const state = (rootHash: Uint8Array) => proofRoot(bytes(states.get(hex(rootHash))!), 'state')
    const master = loadShardState(state(masterRef!.rootHash))
    const extra = loadMcStateExtra(master.custom!)
    expect(configVersion(extra.config.config).version).toBe(11)
    const before = accountsOfState(state(prev[0]!.rootHash)).slice().loadMaybeRef()
    const accounts = new Map<string, ShardAccount>()
    visitTransactionCells(block, (cell) => {
      const id = hex(loadTransaction(cell).account)
      const found = augGet(shardAccountsAug, before, BigInt(`0x${id}`))
      if (found !== undefined) accounts.set(id, loadShardAccount(found.value))
    })
    const info = prevBlocksInfo({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, ...masterRef! }, extra)!
    const around = { config: extra.config.config, libraries: master.libraries, prevBlocks: machineValueOf(info) }
    const { transactions, differences } = replayBlock(block, accounts, around)
    expect(differences).toEqual([])
    expect(transactions).toBe(65)
  })
})
