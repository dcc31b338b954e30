import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { expectTag, storeHash } from '../common.ts'

/*
 * update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;
 */

export interface HashUpdate {
  readonly oldHash: Uint8Array
  readonly newHash: Uint8Array
}

export const loadHashUpdate = (cell: Cell): HashUpdate => {
  const s = cell.slice()
  expectTag(s, 8, 0x72, 'HASH_UPDATE')
  const update = { oldHash: s.loadBytes(32), newHash: s.loadBytes(32) }
  s.end()
  return update
}

export const storeHashUpdate = (update: HashUpdate): Cell =>
  storeHash(storeHash(beginCell().storeUint(0x72, 8), update.oldHash), update.newHash).end()
