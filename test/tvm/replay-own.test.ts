import { Cell } from '@ton/core'
import { expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { dictEntries } from '../../server/cell/dict.ts'
import { loadShardAccount } from '../../server/tlb/state/shard-account.ts'
import { readData, readJson } from '../kit/data.ts'
import { machineValueOf, replayBlock, replayTransaction, shardAccountOf } from '../kit/tvm/replay.ts'

/** The recorder gave library cells a level; read leniently and written again. */
const decode = (text: string) => parseBocRoot(Cell.fromBoc(Buffer.from(text, 'base64'))[0]!.toBoc())

it('the executor makes all 269 transactions of mainnet block 0:8000000000000000:71398501 (version 13) to the last bit', () => {
  const parts = parseBocRoot(readData('tvm/states-71398500.boc')).slice()
  const [states, libraries, blocks, config] = [parts.loadRef(), parts.loadRef(), parts.loadRef(), parts.loadRef()]
  const accounts = new Map(
    [...dictEntries(states, 256, { cells: 1e9 })].map(([id, value]) => [id.toString(16).padStart(64, '0'), loadShardAccount(value)]),
  )
  const block = parseBocRoot(readData('blocks/tonutils-block_0_8000000000000000_71398501.boc'))
  const { transactions, differences } = replayBlock(block, accounts, { config, libraries, prevBlocks: machineValueOf(blocks) })
  expect(differences).toEqual([])
  expect(transactions).toBe(269)
})

interface Regression {
  readonly config: {
    readonly config_root_boc_base64: string
    readonly prev_blocks_stack_boc_base64: string
    readonly libraries_boc_base64: readonly string[]
  }
  readonly accounts: readonly {
    readonly from_shard_account_boc_base64: string
    readonly to_shard_account_boc_base64: string
    readonly first_tx: { readonly expected_tx_boc_base64: string; readonly block_lt: number; readonly rand_seed_base64: string }
  }[]
}

it('the executor makes two recorded mainnet transactions of version 13 and the accounts after them', () => {
  const { config, accounts } = readJson<Regression>('replay/transaction_replay_regression.json')
  const around = {
    config: decode(config.config_root_boc_base64),
    workchain: 0,
    libraries: decode(config.libraries_boc_base64[0]!),
    prevBlocks: machineValueOf(decode(config.prev_blocks_stack_boc_base64)),
  }
  for (const { from_shard_account_boc_base64, to_shard_account_boc_base64, first_tx } of accounts) {
    const { difference, after } = replayTransaction(
      decode(first_tx.expected_tx_boc_base64),
      shardAccountOf(decode(from_shard_account_boc_base64)),
      {
        ...around,
        blockSeed: Buffer.from(first_tx.rand_seed_base64, 'base64'),
        blockLt: BigInt(first_tx.block_lt),
      },
    )
    expect(difference).toBeUndefined()
    expect(after.accountCell.equals(shardAccountOf(decode(to_shard_account_boc_base64)).accountCell)).toBe(true)
  }
})
