import type { Cell } from '../../../cell/cell.ts'
import type { Slice } from '../../../cell/slice.ts'
import { attempt, loadKey } from '../contracts/read.ts'

/*
 * Wallets whose code is known keep what get_wallet_data says in the root of their data: it is read there instead of being run for, which for a
 * busy jetton is most of what contracts cost the index.
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
  // Anything more is not the layout: the contract itself is asked.
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

/** What a wallet of a known code says of itself; undefined: it must be asked. */
export const readWalletData = (codeHash: Buffer | undefined, data: Cell | undefined): WalletData | undefined => {
  const layout = codeHash && LAYOUTS.get(codeHash.toString('base64'))
  return layout && data && !data.exotic ? attempt(() => layout(data)) : undefined
}
