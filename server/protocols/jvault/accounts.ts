import type { JVaultStakeWalletFacts } from '../../actions/facts.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { load } from './messages.ts'

export const stakeWalletFacts = (data: Cell): JVaultStakeWalletFacts | undefined =>
  attempt(() => {
    const { pool, minter: jetton } = load('type JvaultStakeWallet', data)
    return pool === null || jetton === null ? undefined : { pool, jetton }
  })

export const poolFacts = (data: Cell): { readonly lockWallet: Address } | undefined =>
  attempt(() => {
    const { lock_wallet: lockWallet } = load('type JvaultPool', data)
    return lockWallet === null ? undefined : { lockWallet }
  })
