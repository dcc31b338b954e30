import { loadAugE, storeAugE } from '../../cell/aug.ts'
import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { expectTag, withLazyMembers } from '../common.ts'
import { type ConfigParams, loadConfigParams, storeConfigParams } from '../state/mc-state-extra.ts'
import { shardFeesAug } from './shard-fees.ts'

/*
 * masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
 *   ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair) recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
 *   config:key_block?ConfigParams = McBlockExtra;
 */

/** McBlockExtra. `prevBlkSignatures`, `recoverCreateMsg` and `mintMsg` share a reference that a proof may have pruned, so they are read on first use. */
export interface McBlockExtra {
  /** Root of Hashmap 32 ^(BinTree ShardDescr); see shard-hashes.ts. */
  readonly shardHashes: Cell | undefined
  /** Root of HashmapAug 96 ShardFeeCreated ShardFeeCreated; see shard-fees.ts. */
  readonly shardFees: Cell | undefined
  /** Root of Hashmap 16 CryptoSignaturePair. */
  readonly prevBlkSignatures: Cell | undefined
  /** Cell of an InMsg. */
  readonly recoverCreateMsg: Cell | undefined
  readonly mintMsg: Cell | undefined
  /** Present only in key blocks. */
  readonly config?: ConfigParams | undefined
}

const MESSAGES = ['prevBlkSignatures', 'recoverCreateMsg', 'mintMsg'] as const

const loadMessages = (cell: Cell): Pick<McBlockExtra, (typeof MESSAGES)[number]> => {
  const s = cell.slice()
  const messages = { prevBlkSignatures: s.loadMaybeRef(), recoverCreateMsg: s.loadMaybeRef(), mintMsg: s.loadMaybeRef() }
  s.end()
  return messages
}

export const loadMcBlockExtra = (cell: Cell): McBlockExtra => {
  const s = cell.slice()
  expectTag(s, 16, 0xcca5, 'McBlockExtra')
  const keyBlock = s.loadBit()
  const head = { shardHashes: s.loadMaybeRef(), shardFees: loadAugE(s, shardFeesAug) }
  const messages = s.loadRef()
  const extra = { ...head, config: keyBlock ? loadConfigParams(s) : undefined }
  s.end()
  return withLazyMembers(extra, MESSAGES, () => loadMessages(messages))
}

export const storeMcBlockExtra = (extra: McBlockExtra): Cell => {
  const messages = beginCell().storeMaybeRef(extra.prevBlkSignatures).storeMaybeRef(extra.recoverCreateMsg).storeMaybeRef(extra.mintMsg)
  const b = beginCell()
    .storeUint(0xcca5, 16)
    .storeBit(extra.config !== undefined)
    .storeMaybeRef(extra.shardHashes)
  storeAugE(b, shardFeesAug, extra.shardFees)
  b.storeRef(messages.end())
  return extra.config === undefined ? b.end() : storeConfigParams(b, extra.config).end()
}
