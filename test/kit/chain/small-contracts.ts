import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'

/* Contracts of a few instructions, and messages for them. */

/** c4 PUSH; CTOS; LDREF; 8 PLDU; SENDRAWMSG: on any message sends the message in its data with the mode in its data. */
export const RELAY: Cell = beginCell().storeBytes(Buffer.from('ed44d0d4d70b07fb00', 'hex')).end()

/** A message without a body to an address; value zero. */
export const messageTo = ({ workchain, hash }: AccountId): Cell =>
  beginCell()
    .storeUint(0b0100, 4)
    .storeUint(0, 2)
    .storeUint(0b100, 3)
    .storeInt(workchain, 8)
    .storeBytes(hash)
    .storeCoins(0n)
    .storeUint(0, 1 + 4 + 4 + 64 + 32 + 1 + 1)
    .end()
