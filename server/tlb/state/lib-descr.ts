import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictDelete, dictSet } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag } from '../common.ts'

/*
 * shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
 */

export interface LibDescr {
  readonly lib: Cell
  /** Root of Hashmap 256 True by account id; never empty. */
  readonly publishers: Cell
}

/* Reads a LibDescr. The root edge of the dictionary is inline, without the bit of a HashmapE, and is the last member. */
export const loadLibDescr = (s: Slice): LibDescr => {
  expectTag(s, 2, 0, 'LibDescr')
  return { lib: s.loadRef(), publishers: s.asCell() }
}
export const storeLibDescr = (b: Builder, descr: LibDescr): Builder => b.storeUint(0, 2).storeRef(descr.lib).storeCell(descr.publishers)

/** Adds an account (`id`) to the publishers of a library. Without `publishers` the account is the first publisher. */
export const addLibPublisher = (descr: Pick<LibDescr, 'lib'> & Partial<LibDescr>, id: bigint): LibDescr => ({
  lib: descr.lib,
  publishers: dictSet(descr.publishers, 256, id, beginCell()),
})

/** Returns the descriptor without one publisher; undefined if this was the last publisher, because the library is then removed. */
export const removeLibPublisher = (descr: LibDescr, id: bigint): LibDescr | undefined => {
  const publishers = dictDelete(descr.publishers, 256, id)
  return publishers === undefined ? undefined : { lib: descr.lib, publishers }
}
