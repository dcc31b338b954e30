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
 * Maximum number of addresses in a whitelist. The standard wallet's own get_whitelist runs out of gas with fewer addresses. Any contract can have a longer
 * whitelist in a few shared cells, and each change of that contract would write a database row for each address.
 */
const MAX_ENTRIES = 1_000

export const loadWhitelist = (root: Cell | undefined): StdAddress[] =>
  [...dictEntries(root, 264, { cells: 2 * MAX_ENTRIES })].map(([key]) => ({
    type: 'std',
    workchain: Number(BigInt.asIntN(8, key >> 256n)),
    hash: Buffer.from(BigInt.asUintN(256, key).toString(16).padStart(64, '0'), 'hex'),
  }))
