import type { Cell } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import type { StdAddress } from '../address.ts'

/*
 * Vesting wallet (https://github.com/ton-blockchain/vesting-contract/blob/main/contracts/vesting_wallet.fc, written as TL-B):
 * _ seqno:uint32 subwallet_id:uint32 public_key:bits256 whitelist:(HashmapE 264 int1) params:^VestingParams = VestingData;
 * _ start_time:uint64 total_duration:uint32 unlock_period:uint32 cliff_duration:uint32 total_amount:Grams
 *   sender_address:MsgAddressInt owner_address:MsgAddressInt = VestingParams;                     (key of whitelist: int8 workchain, account id)
 */

/**
 * Maximum number of addresses of a whitelist. The standard wallet's own get_whitelist needs 327,756 gas for 100 addresses, and a lite-server allows 300,000. Any
 * contract can have a longer whitelist in a few shared cells, and each change of that contract would write a database row for each address.
 *
 * @internal
 */
export const MAX_WHITELIST = 128

/** A way to a key has at most 264 forks; a fork that is passed has an entry on its other side. */
const CELLS = 2 * MAX_WHITELIST + 264

export interface Whitelist {
  /** The first addresses, in the order of the dictionary. */
  readonly addresses: readonly StdAddress[]
  readonly isCut: boolean
}

export const loadWhitelist = (root: Cell | undefined): Whitelist => {
  const addresses: StdAddress[] = []
  for (const [key] of dictEntries(root, 264, { cells: CELLS })) {
    if (addresses.length === MAX_WHITELIST) return { addresses, isCut: true }
    const workchain = Number(BigInt.asIntN(8, key >> 256n))
    const hash = Buffer.from(BigInt.asUintN(256, key).toString(16).padStart(64, '0'), 'hex')
    addresses.push({ type: 'std', workchain, hash })
  }
  return { addresses, isCut: false }
}
