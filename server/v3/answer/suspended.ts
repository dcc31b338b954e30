import { Lru } from '../../base/memory/lru.ts'
import { runSteps } from '../../base/yield.ts'
import { parseBocRootSteps } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { dataOf } from '../../store/queries/accounts.ts'
import { lookUp } from '../../store/queries/look-up.ts'
import type { View } from '../../store/queries/view.ts'
import { accountKey, accountOfKey } from '../../store/row-keys.ts'
import { configParam } from '../../tlb/config/config-dictionary.ts'
import { suspension } from '../../tlb/config/special-contracts.ts'
import { MASTERCHAIN } from '../../tlb/ids.ts'

/*
 * Accounts that the configuration (parameter 44) suspends. The list is read from the index, out of the data of the configuration contract, so that it is of
 * the same block as the accounts of the answer.
 */

/** The configuration contract of mainnet, testnet and embedded chains. */
const CONFIG_CONTRACT = accountKey(MASTERCHAIN, new Uint8Array(32).fill(0x55))

const hashes = lookUp({ from: 'accounts', by: 'account', columns: ['data_hash'] })

type Suspension = ReturnType<typeof suspension>

/** Parsed lists by hash of the contract's data (base64). Cached, because the configuration changes once in many thousand blocks. */
const suspensions = new Lru<string, Suspension>({ max: 8 })

/** Undefined if the data is not a configuration. */
const suspensionIn = (data: Cell): Suspension | undefined => attempt(() => suspension(configParam(data.ref(0), 44)))

/** Returns a function that tests whether an account (key) is suspended; undefined if the index lacks the configuration contract. */
export const suspendedAt = async (view: View): Promise<((account: Buffer) => boolean) | undefined> => {
  const [row] = await hashes(view, [CONFIG_CONTRACT])
  if (!row?.data_hash) return undefined
  const name = row.data_hash.toString('base64')
  let found = suspensions.get(name)
  if (found === undefined) {
    const [data] = await dataOf(view, [CONFIG_CONTRACT])
    found = data?.data_boc ? suspensionIn(await runSteps(parseBocRootSteps(data.data_boc), view.signal)) : undefined
    if (found === undefined) return undefined
    suspensions.set(name, found)
  }
  const isSuspended = found
  return (account) => isSuspended(accountOfKey(account), view.utime)
}
