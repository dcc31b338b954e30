import type { Pause } from '../../../../base/yield.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { dictDelete, dictEntries, dictGet, dictSet } from '../../../../cell/dict.ts'
import { loadAccount } from '../../../../tlb/state/account.ts'
import { addLibPublisher, loadLibDescr, removeLibPublisher, storeLibDescr } from '../../../../tlb/state/lib-descr.ts'
import { MAX_LIBRARY_CELLS } from '../../../../tlb/state/state-init.ts'
import { keyOf } from '../../hash-keys.ts'
import type { BlockAccount } from '../accounts/block-accounts.ts'

// simple_lib$_ public:Bool root:^Cell = SimpleLib;

const librariesOf = (account: Cell): Cell | undefined => {
  const state = loadAccount(account)?.state
  return state?.type === 'active' ? state.init.library : undefined
}

const published = async (libraries: Cell | undefined, pause: Pause): Promise<Map<bigint, Cell>> => {
  const found = new Map<bigint, Cell>()
  for (const [key, value] of dictEntries(libraries, 256, { cells: MAX_LIBRARY_CELLS })) {
    await pause()
    if (!value.loadBit()) continue
    const lib = value.loadRef()
    if (keyOf(lib.hash()) === key) found.set(key, lib)
  }
  return found
}

/**
 * The public libraries of the masterchain (root of Hashmap 256 LibDescr) after changes of its accounts (Collator::update_public_libraries). Pauses between
 * libraries, because each of many accounts can have a thousand of them, and change 255 of these in one block.
 */
export const publicLibraries = async (
  root: Cell | undefined,
  blockAccounts: readonly BlockAccount[],
  pause: Pause,
): Promise<Cell | undefined> => {
  let after = root
  for (const {
    accountInState,
    now: { accountCell },
    id,
  } of blockAccounts) {
    const [old, current] = [librariesOf(accountInState), librariesOf(accountCell)]
    if (old?.hashKey() === current?.hashKey()) continue
    const before = await published(old, pause)
    const now = await published(current, pause)
    for (const key of before.keys()) {
      if (now.has(key)) continue
      await pause()
      const descr = dictGet(after, 256, key)
      const left = descr === undefined ? undefined : removeLibPublisher(loadLibDescr(descr), id)
      after = left === undefined ? dictDelete(after, 256, key) : dictSet(after, 256, key, storeLibDescr(beginCell(), left))
    }
    for (const [key, lib] of now) {
      if (before.has(key)) continue
      await pause()
      const descr = dictGet(after, 256, key)
      const more = addLibPublisher(descr === undefined ? { lib } : loadLibDescr(descr), id)
      after = dictSet(after, 256, key, storeLibDescr(beginCell(), more))
    }
  }
  return after
}
