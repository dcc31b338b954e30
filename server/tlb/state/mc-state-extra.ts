import { loadAugE, storeAugE } from '../../cell/aug.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { type ExtBlkRef, loadExtBlkRef, storeExtBlkRef } from '../block/ext-blk-ref.ts'
import { expectTag, loadMaybe, storeHash, storeMaybe, withLazyMembers } from '../common.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'
import { type BlockCreateStats, loadBlockCreateStats, storeBlockCreateStats } from './block-create-stats.ts'
import { oldMcBlocksAug } from './old-mc-blocks.ts'

/*
 * _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams;
 * validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo;
 * masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
 *   ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
 *      last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ]
 *   global_balance:CurrencyCollection = McStateExtra;
 */

export interface ConfigParams {
  /** Account id (32 bytes) of the configuration contract in the masterchain. */
  readonly configAddr: Uint8Array
  /** Root of Hashmap 32 ^Cell; see config/config-dictionary.ts. */
  readonly config: Cell
}
export interface ValidatorInfo {
  readonly validatorListHashShort: number
  readonly catchainSeqno: number
  readonly nxCcUpdated: boolean
}

/** McStateExtra. The members of McStateInfo share a reference that a proof may have pruned, so they are read on first use. */
export interface McStateExtra extends McStateInfo {
  /** Root of Hashmap 32 ^(BinTree ShardDescr); see shard-hashes.ts. */
  readonly shardHashes: Cell | undefined
  readonly config: ConfigParams
  readonly globalBalance: CurrencyCollection
}

/** The part of McStateExtra that is in a reference. */
export interface McStateInfo {
  readonly validatorInfo: ValidatorInfo
  /** Root of HashmapAug 32 KeyExtBlkRef KeyMaxLt; see old-mc-blocks.ts. */
  readonly prevBlocks: Cell | undefined
  readonly afterKeyBlock: boolean
  readonly lastKeyBlock?: ExtBlkRef | undefined
  readonly blockCreateStats?: BlockCreateStats | undefined
}

export const loadConfigParams = (s: Slice): ConfigParams => ({ configAddr: s.loadBytes(32), config: s.loadRef() })
export const storeConfigParams = (b: Builder, params: ConfigParams): Builder => storeHash(b, params.configAddr).storeRef(params.config)

const MC_STATE_INFO = ['validatorInfo', 'prevBlocks', 'afterKeyBlock', 'lastKeyBlock', 'blockCreateStats'] as const

const loadMcStateInfo = (cell: Cell): McStateInfo => {
  const s = cell.slice()
  const flags = s.loadUint(16)
  if (flags > 1) throw new CellError('range', `McStateExtra: unknown flags ${flags}`)
  const info: McStateInfo = {
    validatorInfo: { validatorListHashShort: s.loadUint(32), catchainSeqno: s.loadUint(32), nxCcUpdated: s.loadBit() },
    prevBlocks: loadAugE(s, oldMcBlocksAug),
    afterKeyBlock: s.loadBit(),
    lastKeyBlock: loadMaybe(s, loadExtBlkRef),
    blockCreateStats: flags & 1 ? loadBlockCreateStats(s) : undefined,
  }
  s.end()
  return info
}

export const loadMcStateExtra = (cell: Cell): McStateExtra => {
  const s = cell.slice()
  expectTag(s, 16, 0xcc26, 'McStateExtra')
  const head = { shardHashes: s.loadMaybeRef(), config: loadConfigParams(s) }
  const info = s.loadRef()
  const extra = { ...head, globalBalance: loadCurrency(s) }
  s.end()
  return withLazyMembers(extra, MC_STATE_INFO, () => loadMcStateInfo(info))
}

const storeMcStateInfo = (info: McStateInfo): Cell => {
  const { validatorListHashShort, catchainSeqno, nxCcUpdated } = info.validatorInfo
  const b = beginCell().storeUint(info.blockCreateStats === undefined ? 0 : 1, 16)
  b.storeUint(validatorListHashShort, 32).storeUint(catchainSeqno, 32).storeBit(nxCcUpdated)
  storeAugE(b, oldMcBlocksAug, info.prevBlocks)
  storeMaybe(b.storeBit(info.afterKeyBlock), info.lastKeyBlock, storeExtBlkRef)
  if (info.blockCreateStats !== undefined) storeBlockCreateStats(b, info.blockCreateStats)
  return b.end()
}

export const storeMcStateExtra = (extra: McStateExtra): Cell => {
  const b = storeConfigParams(beginCell().storeUint(0xcc26, 16).storeMaybeRef(extra.shardHashes), extra.config)
  return storeCurrency(b.storeRef(storeMcStateInfo(extra)), extra.globalBalance).end()
}
