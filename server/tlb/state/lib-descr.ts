import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictDelete, dictSet } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag } from '../common.ts'

/*
 * shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
 */

/** A public library of the masterchain and who keeps it alive. */
export interface LibDescr {
  readonly lib: Cell
  /** Root of Hashmap 256 True by account id; never empty. */
  readonly publishers: Cell
}

/* The dictionary's root edge stands inline, without the bit of a HashmapE; it is the last member. */
export const loadLibDescr = (s: Slice): LibDescr => {
  expectTag(s, 2, 0, 'LibDescr')
  return { lib: s.loadRef(), publishers: s.asCell() }
}
export const storeLibDescr = (b: Builder, descr: LibDescr): Builder => b.storeUint(0, 2).storeRef(descr.lib).storeCell(descr.publishers)

/** A descriptor with one publisher more, or a new one. */
export const addLibPublisher = (descr: Pick<LibDescr, 'lib'> & Partial<LibDescr>, id: bigint): LibDescr => ({
  lib: descr.lib,
  publishers: dictSet(descr.publishers, 256, id, beginCell()),
})

/** The same with one publisher less; undefined when that was the last one and the library goes. */
export const removeLibPublisher = (descr: LibDescr, id: bigint): LibDescr | undefined => {
  const publishers = dictDelete(descr.publishers, 256, id)
  return publishers === undefined ? undefined : { lib: descr.lib, publishers }
}
