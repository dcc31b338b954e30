import { Cell, loadTransaction } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { makeTvmConfig } from '../../server/tvm/config.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { readData, readJson } from '../kit/data.ts'

/* Transactions of mainnet run again: equal to the last bit where the emulator knows the rules they were made under (TVM version 12). */

const REPLAY = 'replay/transaction_replay_regression.json'
const SINGLE = 'transactions/rust-emulator/4C90C139A5736F34EA3EEF62F0B06431719913835EA5A1B9173F20B2EF711583_66815326000001.json'

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
afterAll(() => tvm.close())
const { signal } = new AbortController()
const decode = (text: string): Buffer => Buffer.from(text, 'base64')

/** The recorder gave library cells a level; read leniently and written again. */
const rewrite = (text: string): Buffer => Cell.fromBoc(decode(text))[0]!.toBoc()

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

const messageOf = (transactionBoc: Buffer): Uint8Array => {
  const root = Cell.fromBoc(transactionBoc)[0]!
  // in_msg:(Maybe ^(Message Any)) is the first reference of the first reference
  expect(loadTransaction(root.beginParse()).inMessage).toBeDefined()
  return root.refs[0]!.refs[0]!.toBoc()
}

describe('mainnet transactions run again', () => {
  it('mainnet transactions of two accounts under a configuration of version 13 run again as recorded', async () => {
    const replay = readJson<Replay>(REPLAY)
    const config = makeTvmConfig(parseBocRoot(decode(replay.config.config_root_boc_base64)))
    // The masterchain's whole library dictionary, 750 KB.
    const libraries = decode(replay.config.libraries_boc_base64[0]!)
    for (const { from_shard_account_boc_base64, to_shard_account_boc_base64, first_tx } of replay.accounts) {
      const [result] = await tvm.runTransactions(
        [
          {
            kind: 'message',
            config,
            account: 'a',
            shardAccount: rewrite(from_shard_account_boc_base64),
            message: messageOf(decode(first_tx.expected_tx_boc_base64)),
            now: first_tx.now,
            lt: BigInt(first_tx.logical_time),
            randomSeed: decode(first_tx.rand_seed_base64),
            prevBlocksInfo: decode(replay.config.prev_blocks_stack_boc_base64),
            libraries,
          },
        ],
        signal,
      )
      if (!result?.ok) throw new Error(JSON.stringify(result))
      expect(parseBocRoot(result.transaction).hashHex()).toBe(first_tx.expected_tx_hash)
      expect(parseBocRoot(result.shardAccount).hashHex()).toBe(parseBocRoot(rewrite(to_shard_account_boc_base64)).hashHex())
    }
  })

  it('the transactions of account 4C90C139... run again as recorded', async () => {
    const recorded = JSON.parse(
      readData(SINGLE)
        .toString()
        .replace(/("(?:rand_seed|lt)":\s*)(\d{16,})/g, '$1"$2"'),
    ) as Record<string, string>
    const seed = Buffer.from(BigInt(recorded['rand_seed']!).toString(16).padStart(64, '0'), 'hex')
    const [result] = await tvm.runTransactions(
      [
        {
          kind: 'message',
          config: makeTvmConfig(parseBocRoot(decode(recorded['config_params_boc']!))),
          account: 'a',
          shardAccount: decode(recorded['shard_account_boc']!),
          message: decode(recorded['message_boc']!),
          now: Number(recorded['now']),
          lt: BigInt(recorded['lt']!),
          randomSeed: seed,
          prevBlocksInfo: decode(recorded['prev_blocks_info_boc']!),
        },
      ],
      signal,
    )
    if (!result?.ok) throw new Error(JSON.stringify(result))
    expect(parseBocRoot(result.transaction).hashHex().toUpperCase()).toBe(recorded['tx_hash'])
  })
})
