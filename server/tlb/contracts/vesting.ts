import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../cell/dict.ts'
import { loadAddressInt, type MsgAddressInt, type StdAddress, storeAddressInt } from '../address.ts'
import { storeHash } from '../common.ts'

/*
 * Vesting wallet (https://github.com/ton-blockchain/vesting-contract/blob/main/contracts/vesting_wallet.fc, written as TL-B):
 * _ seqno:uint32 subwallet_id:uint32 public_key:bits256 whitelist:(HashmapE 264 int1) params:^VestingParams = VestingData;
 * _ start_time:uint64 total_duration:uint32 unlock_period:uint32 cliff_duration:uint32 total_amount:Grams
 *   sender_address:MsgAddressInt owner_address:MsgAddressInt = VestingParams;                     (key of whitelist: int8 workchain, account id)
 */

export interface VestingData {
  readonly seqno: number
  readonly subwalletId: number
  readonly publicKey: Uint8Array
  readonly whitelist: readonly StdAddress[]
  /** Unix seconds. */
  readonly startTime: bigint
  /** Seconds. */
  readonly totalDuration: number
  readonly unlockPeriod: number
  readonly cliffDuration: number
  readonly totalAmount: bigint
  readonly sender: MsgAddressInt
  readonly owner: MsgAddressInt
}

/** Most addresses of a whitelist that are read. */
const MOST = 10_000

/** Addresses of a whitelist, as its dictionary orders them. */
export const loadWhitelist = (root: Cell | undefined): StdAddress[] =>
  [...dictEntries(root, 264, { limit: MOST })].map(([key]) => ({
    type: 'std',
    workchain: Number(BigInt.asIntN(8, key >> 256n)),
    hash: Buffer.from(BigInt.asUintN(256, key).toString(16).padStart(64, '0'), 'hex'),
  }))

export const loadVestingData = (cell: Cell): VestingData => {
  const s = cell.slice()
  const head = {
    seqno: s.loadUint(32),
    subwalletId: s.loadUint(32),
    publicKey: s.loadBytes(32),
    whitelist: loadWhitelist(s.loadMaybeRef()),
  }
  const p = s.loadRef().slice()
  s.end()
  const data = {
    ...head,
    startTime: p.loadUintBig(64),
    totalDuration: p.loadUint(32),
    unlockPeriod: p.loadUint(32),
    cliffDuration: p.loadUint(32),
    totalAmount: p.loadCoins(),
    sender: loadAddressInt(p),
    owner: loadAddressInt(p),
  }
  p.end()
  return data
}

export const storeVestingData = (data: VestingData): Cell => {
  const whitelist = dictFromEntries(
    264,
    data.whitelist.map(({ workchain, hash }) => {
      const key = (BigInt.asUintN(8, BigInt(workchain)) << 256n) | BigInt(`0x${Buffer.from(hash).toString('hex')}`)
      return [key, beginCell().storeInt(-1, 1)] as const
    }),
  )
  const params: Builder = beginCell()
    .storeUint(data.startTime, 64)
    .storeUint(data.totalDuration, 32)
    .storeUint(data.unlockPeriod, 32)
    .storeUint(data.cliffDuration, 32)
    .storeCoins(data.totalAmount)
  return storeHash(beginCell().storeUint(data.seqno, 32).storeUint(data.subwalletId, 32), data.publicKey)
    .storeMaybeRef(whitelist)
    .storeRef(storeAddressInt(storeAddressInt(params, data.sender), data.owner).end())
    .end()
}
