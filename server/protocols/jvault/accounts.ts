import type { JVaultStakeWalletFacts } from '../../actions/facts.ts'
import { loadAddress, skipAddress } from '../../actions/read.ts'
import type { Address } from '../../actions/trace.ts'
import { type Cell, CellError } from '../../cell/cell.ts'

/* What JVault's contracts say of themselves. */

/** Reads the data of a stake wallet: pool:MsgAddress minter:MsgAddress ...; undefined for other data. */
export const stakeWalletFacts = (data: Cell): JVaultStakeWalletFacts | undefined => {
  try {
    const s = data.slice()
    const pool = loadAddress(s)
    const jetton = loadAddress(s)
    return pool === null || jetton === null ? undefined : { pool, jetton }
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/** Reads the data of a pool: inited:uint1 id:uint32 admin:MsgAddress creator:MsgAddress lock_wallet:MsgAddress ...; undefined for other data. */
export const poolFacts = (data: Cell): { readonly lockWallet: Address } | undefined => {
  try {
    const s = data.slice().skip(33)
    skipAddress(s)
    skipAddress(s)
    const lockWallet = loadAddress(s)
    return lockWallet === null ? undefined : { lockWallet }
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}
