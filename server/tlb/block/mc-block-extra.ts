import { loadAugE, storeAugE } from '../../cell/aug.ts'
import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { expectTag, lazy } from '../common.ts'
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

const loadMessages = (cell: Cell): Pick<McBlockExtra, 'prevBlkSignatures' | 'recoverCreateMsg' | 'mintMsg'> => {
  const s = cell.slice()
  const messages = { prevBlkSignatures: s.loadMaybeRef(), recoverCreateMsg: s.loadMaybeRef(), mintMsg: s.loadMaybeRef() }
  s.end()
  return messages
}

export const loadMcBlockExtra = (cell: Cell): McBlockExtra => {
  const s = cell.slice()
  expectTag(s, 16, 0xcca5, 'McBlockExtra')
  const keyBlock = s.loadBit()
  const shardHashes = s.loadMaybeRef()
  const shardFees = loadAugE(s, shardFeesAug)
  const messagesCell = s.loadRef()
  const config = keyBlock ? loadConfigParams(s) : undefined
  s.end()
  const messages = lazy(() => loadMessages(messagesCell))
  return {
    shardHashes,
    shardFees,
    get prevBlkSignatures() {
      return messages().prevBlkSignatures
    },
    get recoverCreateMsg() {
      return messages().recoverCreateMsg
    },
    get mintMsg() {
      return messages().mintMsg
    },
    config,
  }
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
