import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictDelete, dictSet } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag } from '../common.ts'

/*
 * shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
 */

/** A public library of the masterchain, and the accounts that publish it. */
export interface LibDescr {
  readonly lib: Cell
  /** Root of Hashmap 256 True by account id; never empty. */
  readonly publishers: Cell
}

/* The dictionary's root edge is inline, without the bit of a HashmapE. It is the last member. */
export const loadLibDescr = (s: Slice): LibDescr => {
  expectTag(s, 2, 0, 'LibDescr')
  return { lib: s.loadRef(), publishers: s.asCell() }
}
export const storeLibDescr = (b: Builder, descr: LibDescr): Builder => b.storeUint(0, 2).storeRef(descr.lib).storeCell(descr.publishers)

/** A descriptor with one more publisher, or a new one with its first publisher. */
export const addLibPublisher = (descr: Pick<LibDescr, 'lib'> & Partial<LibDescr>, id: bigint): LibDescr => ({
  lib: descr.lib,
  publishers: dictSet(descr.publishers, 256, id, beginCell()),
})

/** A descriptor with one publisher less; undefined if that was the last one, so that the library is removed. */
export const removeLibPublisher = (descr: LibDescr, id: bigint): LibDescr | undefined => {
  const publishers = dictDelete(descr.publishers, 256, id)
  return publishers === undefined ? undefined : { lib: descr.lib, publishers }
}
