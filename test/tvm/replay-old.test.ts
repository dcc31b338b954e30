// The recorder gave library cells a level; @ton/core reads them leniently.
import { Cell as Lenient } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { augGet } from '../../server/cell/aug.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { dictSet } from '../../server/cell/dict.ts'
import { prevBlocksInfo } from '../../server/chain/prev-blocks.ts'
import { MAX_ANSWER_CELLS, proofRoot } from '../../server/chain/proofs/roots.ts'
import { loadBlock } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { visitTransactionCells } from '../../server/tlb/block/block-transactions.ts'
import { configVersion } from '../../server/tlb/config/general.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { loadMcStateExtra } from '../../server/tlb/state/mc-state-extra.ts'
import { loadShardAccount, type ShardAccount, shardAccountsAug } from '../../server/tlb/state/shard-account.ts'
import { accountsOfState, loadShardState } from '../../server/tlb/state/shard-state.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import { readData, readJson } from '../kit/data.ts'
import { machineValueOf, replayBlock, replayTransaction } from '../kit/tvm/replay.ts'

/* Recorded transactions of older global versions, made again. */

interface Bundle {
  readonly blocks: readonly { readonly boc: string }[]
  readonly states: readonly { readonly named_root_hash: string; readonly boc: string }[]
}
const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')

interface RecordedAccount {
  readonly address?: string
  readonly boc?: string
}
interface Triplet {
  readonly name: string
  readonly old?: RecordedAccount
  readonly new?: RecordedAccount
  readonly transaction: { readonly boc: string }
}

/**
 * Transactions that were recorded with the account before and after, but without configuration, block seed and libraries: each by a recorded
 * configuration under which it comes out with its hash. `with libraries`: code of a library that the masterchain of another recording has. The others are in the
 * server/tvm/DIFFERENCES.md.
 */
const TRIPLETS: Readonly<Record<string, readonly string[]>> = {
  'acton-mainnet-config-84773657.boc': [
    'action_result_arg',
    'bounce_to_low_balance',
    'depool_balance_check',
    'exit_arg_on_success',
    'freeze',
    'init',
    'init_wo_state',
    'int_message_to_elector',
    'int_message_to_elector2',
    'non_bounce_with_state_init_nogas',
    'send_remainig_msg_balance',
    'send_to_frozen',
    'sendmsg_no_root_gas',
    'storage_fee_round',
    'unfreeze',
    'uninit',
    'wrong_skip_reason',
  ],
  'tongo-precompiled-config.boc': [
    'bad_action',
    'bad_action_with_ignore_flag',
    'body_with_pruned_cell',
    'bounce_msg',
    'bounce_to_empty',
    'due_payment_in_smc',
    'fwd_fee_payment_in_smc',
    'out_of_gas_on_commit',
    'pruned_cell_load',
    'repack_msg',
    'state_init_cell_same_in_body',
    'state_init_nogas_abc17907',
    'storage_limit',
    'wrong_coins_serial_in_actions',
  ],
  'ton4j-config-all-mainnet.boc': ['runvm'],
}
const WITH_LIBRARIES: typeof TRIPLETS = {
  'acton-mainnet-config-84773657.boc': ['new_storage_prices'],
  'tonutils-blockchain_config_mainnet.boc': ['raw_reserve_with_flag4'],
}
const NONE = beginCell().storeBit(0).end()
const accountOf = (account: RecordedAccount | undefined) => (account?.boc === undefined ? NONE : parseBocRoot(bytes(account.boc)))

const tripletOf = (name: string) => {
  const triplet = readJson<readonly Triplet[]>('transactions/rust-executor-triplets.json').find((each) => each.name === name)!
  return { old: triplet.old, after: triplet.new, root: parseBocRoot(bytes(triplet.transaction.boc)) }
}

/** A configuration with another global version (parameter 8: capabilities#c4 version:uint32 capabilities:uint64). */
const withVersion = (config: Cell, version: number): Cell =>
  dictSet(config, 32, 8n, beginCell().storeRef(beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeUint(1006, 64).end()))

const replayTriplets = (file: string, names: readonly string[], libraries?: Cell): void => {
  const config = parseBocRoot(readData(`config/${file}`))
  const triplets = readJson<readonly Triplet[]>('transactions/rust-executor-triplets.json')
  for (const name of names) {
    const triplet = triplets.find((each) => each.name === name)!
    const root = parseBocRoot(bytes(triplet.transaction.boc))
    const { prevTransHash, prevTransLt } = loadTransaction(root)
    const address = triplet.old?.address ?? triplet.new?.address ?? '0:'
    const around = {
      config,
      workchain: Number(address.split(':')[0]),
      blockSeed: new Uint8Array(32),
      ...(libraries === undefined ? {} : { libraries }),
    }
    const before = { accountCell: accountOf(triplet.old), lastTransHash: prevTransHash, lastTransLt: prevTransLt }
    const { difference } = replayTransaction(root, before, around)
    // The hash of the account after it is part of the transaction.
    expect([name, difference]).toEqual([name, undefined])
  }
}

describe('the executor', () => {
  it.each(Object.entries(TRIPLETS))('the executor makes recorded edge cases again under %s', (file, names) => replayTriplets(file, names))

  it('the executor makes recorded transactions with code of a public library again', () => {
    const { config } = readJson<{ config: { libraries_boc_base64: readonly string[] } }>('replay/transaction_replay_regression.json')
    const libraries = parseBocRoot(Lenient.fromBoc(bytes(config.libraries_boc_base64[0]!))[0]!.toBoc())
    for (const [file, names] of Object.entries(WITH_LIBRARIES)) replayTriplets(file, names, libraries)
  })

  it('the recorded transaction of an account with an anycast address has the rules of two versions, and the executor agrees with each part', () => {
    const { old, after, root } = tripletOf('with_anycast')
    const { stateUpdate, prevTransHash, prevTransLt } = loadTransaction(root)
    const before = { accountCell: accountOf(old), lastTransHash: prevTransHash, lastTransLt: prevTransLt }
    const made = (version: number) => {
      const config = withVersion(parseBocRoot(readData('config/tongo-precompiled-config.boc')), version)
      return replayTransaction(root, before, { config, workchain: 0, blockSeed: new Uint8Array(32) })
    }
    // Its state update keeps the address with anycast, as before version 10 (transaction.cpp:3707).
    expect(made(9).after.accountCell.hashHex()).toBe(hex(stateUpdate.newHash))
    // The account that was recorded after it has lost it, and has the hash of its storage, as from version 11 on.
    expect(made(11).after.accountCell.hashHex()).toBe(accountOf(after).hashHex())
    // Its message names the sender without anycast, as from version 10 on (line 1921): 35 bits less, the only difference from version 9.
    expect(made(9).difference).toMatch(/"cells":"3","bits":"1683".*"cells":"3","bits":"1718"/s)
  })

  it('the executor makes all 65 transactions of mainnet block 0:8000000000000000:56703839 (version 11, September 2025) to the last bit', () => {
    const bundle = readJson<Bundle>('chain/mainnet-bundle-56703839.json')
    const states = new Map(bundle.states.map(({ named_root_hash, boc }) => [named_root_hash, boc]))
    const blocks = bundle.blocks.map(({ boc }) => parseBocRoot(bytes(boc)))
    const infoOf = (block: (typeof blocks)[number]) => loadBlockInfo(loadBlock(block).info)
    const block = blocks.find((each) => infoOf(each).seqno === 56_703_839)!
    const { prev, masterRef } = infoOf(block)
    const state = (rootHash: Uint8Array) => proofRoot(bytes(states.get(hex(rootHash))!), 'state', { cells: MAX_ANSWER_CELLS })
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
