import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import type { Slice } from '../../../cell/slice.ts'
import { loadKey } from '../contracts/stack-values.ts'

/*
 * Wallets with the codes in LAYOUTS have the results of get_wallet_data in the root cell of their data. Reading the cell saves the run of the get-method.
 * For a busy jetton these runs would be most of the index's cost for contracts.
 */

export interface WalletData {
  readonly balance: bigint
  readonly owner: Buffer
  readonly jetton: Buffer
}

const read = (s: Slice, refs: number): WalletData | undefined => {
  const balance = s.loadCoins()
  const owner = loadKey(s)
  const jetton = loadKey(s)
  // Data with more bits or references has another layout, so the get-method has to run.
  return owner && jetton && s.remainingBits === 0 && s.remainingRefs === refs ? { balance, owner, jetton } : undefined
}

/* balance:Coins owner:MsgAddress master:MsgAddress wallet_code:^Cell (ton-blockchain/token-contract) */
const plain = (data: Cell) => read(data.slice(), 1)
/* status:uint4 balance:Coins owner:MsgAddress master:MsgAddress (ton-blockchain/stablecoin-contract) */
const governed = (data: Cell) => read(data.slice().skip(4), 0)

const LAYOUTS: ReadonlyMap<string, (data: Cell) => WalletData | undefined> = new Map([
  ['vrBoPr64kn/p/I7AoYvH3ReJlomCWhIeq0bFo6hg0M4=', plain],
  ['p2DWKdU0PnbQRQF9ncIW/IoweoN3gV/rKwpcSQ5zNIY=', plain],
  ['iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=', governed],
])

/** Reads the data of a wallet with a code in LAYOUTS; undefined if get_wallet_data has to run. */
export const readJettonWallet = (codeHash: Buffer | undefined, data: Cell | undefined): WalletData | undefined => {
  const layout = codeHash && LAYOUTS.get(codeHash.toString('base64'))
  return layout && data && !data.exotic ? attempt(() => layout(data)) : undefined
}
