import { Cell, loadTransaction } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { AccountId } from '../../server/tlb/ids.ts'
import { loadAccount } from '../../server/tlb/state/account.ts'
import { type ShardAccount, shardAccountCell } from '../../server/tlb/state/shard-account.ts'
import { prevBlocksValue } from '../../server/tvm/get-method-request.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { readData, readJson } from '../kit/data.ts'
import { accountOf } from '../kit/tvm/cells.ts'

/* Transactions of mainnet run again: equal to the last bit where the emulator knows the rules they were made under (TVM version 12). */

const REPLAY = 'replay/transaction_replay_regression.json'
const SINGLE = 'transactions/rust-emulator/4C90C139A5736F34EA3EEF62F0B06431719913835EA5A1B9173F20B2EF711583_66815326000001.json'

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
afterAll(() => tvm.close())
const { signal } = new AbortController()
const decode = (text: string): Buffer => Buffer.from(text, 'base64')

/** The recorder gave library cells a level; read leniently and written again. */
const rewrite = (text: string): Buffer => Cell.fromBoc(decode(text))[0]!.toBoc()

const addressOf = ({ accountCell }: ShardAccount): AccountId => {
  const { addr } = loadAccount(accountCell)!
  if (addr.type !== 'std') throw new Error('no plain address')
  return addr
}

interface Replay {
  readonly config: {
    readonly config_root_boc_base64: string
    readonly prev_blocks_stack_boc_base64: string
    readonly libraries_boc_base64: readonly string[]
  }
  readonly accounts: readonly {
    readonly from_shard_account_boc_base64: string
    readonly to_shard_account_boc_base64: string
    readonly first_tx: {
      readonly expected_tx_hash: string
      readonly expected_tx_boc_base64: string
      readonly now: number
      readonly block_lt: number
      readonly logical_time: number
      readonly rand_seed_base64: string
    }
  }[]
}

const messageOf = (transactionBoc: Buffer) => {
  const root = Cell.fromBoc(transactionBoc)[0]!
  // in_msg:(Maybe ^(Message Any)) is the first reference of the first reference
  expect(loadTransaction(root.beginParse()).inMessage).toBeDefined()
  return parseBocRoot(root.refs[0]!.refs[0]!.toBoc())
}

describe('mainnet transactions run again', () => {
  it('mainnet transactions of two accounts under a configuration of version 13 run again as recorded', async () => {
    const replay = readJson<Replay>(REPLAY)
    const config = parseBocRoot(decode(replay.config.config_root_boc_base64))
    // The masterchain's whole library dictionary, 750 KB.
    const libraries = parseBocRoot(decode(replay.config.libraries_boc_base64[0]!))
    for (const { from_shard_account_boc_base64, to_shard_account_boc_base64, first_tx } of replay.accounts) {
      const shardAccount = accountOf(rewrite(from_shard_account_boc_base64))
      const result = await tvm.runTransaction(
        {
          kind: 'message',
          config,
          account: addressOf(shardAccount),
          shardAccount,
          message: messageOf(decode(first_tx.expected_tx_boc_base64)),
          now: first_tx.now,
          lt: BigInt(first_tx.logical_time),
          blockSeed: decode(first_tx.rand_seed_base64),
          prevBlocks: prevBlocksValue(parseBocRoot(decode(replay.config.prev_blocks_stack_boc_base64))),
          libraries,
        },
        signal,
        { inPool: true },
      )
      if (!result.ok) throw new Error(result.error)
      expect(result.transaction.hashHex()).toBe(first_tx.expected_tx_hash)
      expect(shardAccountCell(result.shardAccount).hashHex()).toBe(parseBocRoot(rewrite(to_shard_account_boc_base64)).hashHex())
    }
  })

  it('the transactions of account 4C90C139... run again as recorded', async () => {
    const recorded = JSON.parse(
      readData(SINGLE)
        .toString()
        .replace(/("(?:rand_seed|lt)":\s*)(\d{16,})/g, '$1"$2"'),
    ) as Record<string, string>
    const seed = Buffer.from(BigInt(recorded['rand_seed']!).toString(16).padStart(64, '0'), 'hex')
    const shardAccount = accountOf(decode(recorded['shard_account_boc']!))
    const result = await tvm.runTransaction(
      {
        kind: 'message',
        config: parseBocRoot(decode(recorded['config_params_boc']!)),
        account: addressOf(shardAccount),
        shardAccount,
        message: parseBocRoot(decode(recorded['message_boc']!)),
        now: Number(recorded['now']),
        lt: BigInt(recorded['lt']!),
        blockSeed: seed,
        prevBlocks: prevBlocksValue(parseBocRoot(decode(recorded['prev_blocks_info_boc']!))),
      },
      signal,
      { inPool: true },
    )
    if (!result.ok) throw new Error(result.error)
    expect(result.transaction.hashHex().toUpperCase()).toBe(recorded['tx_hash'])
  })
})
