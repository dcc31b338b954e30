import { type Cell, CellError } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import type { Slice } from '../../cell/slice.ts'
import { loadMaybeAddressInt } from '../address.ts'

/*
 * Bodies of TEP-74 (jettons) and TEP-62 (NFTs). https://github.com/ton-blockchain/TEPs/blob/master/text/0074-jettons-standard.md
 * Some contracts omit the last fields, so a body may end early. An omitted address is null. Any other omitted field is undefined.
 */

/** addr_std as workchain and id; null for addr_none and addr_extern. */
export type BodyAddress = { readonly workchain: number; readonly hash: Uint8Array } | null

export const JETTON_TRANSFER = 0x0f8a7ea5
export const JETTON_BURN = 0x595f07bc
export const NFT_TRANSFER = 0x5fcc3d14

const loadAddress = (s: Slice): BodyAddress => {
  if (s.preloadUint(2) === 1) {
    s.skip(2)
    s.skip(s.loadUint(9))
    return null
  }
  const address = loadMaybeAddressInt(s)
  if (address !== undefined && address.type !== 'std')
    throw new CellError('range', 'the address is neither addr_std without anycast nor addr_none')
  return address ?? null
}

/** Reads forward_payload:(Either Cell ^Cell); undefined if it is empty or missing. */
const loadPayload = (s: Slice): Cell | undefined => {
  if (s.remainingBits === 0) return undefined
  if (s.loadBit()) return s.remainingRefs > 0 ? s.loadRef() : undefined
  return s.remainingBits === 0 && s.remainingRefs === 0 ? undefined : s.asCell()
}

const loadMaybePayload = (s: Slice): Cell | undefined => (s.remainingBits === 0 ? undefined : s.loadMaybeRef())
const loadMaybeCoins = (s: Slice): bigint | undefined => (s.remainingBits < 4 ? undefined : s.loadCoins())
const loadMaybeAddress = (s: Slice): BodyAddress => (s.remainingBits < 2 ? null : loadAddress(s))

const read = <T>(body: Cell, opcode: number, load: (s: Slice) => T): T | undefined =>
  attempt(() => {
    if (body.exotic || body.bits < 32) return undefined
    const s = body.slice()
    return s.loadUint(32) === opcode ? load(s) : undefined
  })

/*
 * transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
 *   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
 */
export const loadJettonTransfer = (body: Cell) =>
  read(body, JETTON_TRANSFER, (s) => ({
    queryId: s.loadUintBig(64),
    amount: s.loadCoins(),
    destination: loadAddress(s),
    responseDestination: loadMaybeAddress(s),
    customPayload: loadMaybePayload(s),
    forwardTonAmount: loadMaybeCoins(s),
    forwardPayload: loadPayload(s),
  }))

/* burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress custom_payload:(Maybe ^Cell) = InternalMsgBody; */
export const loadJettonBurn = (body: Cell) =>
  read(body, JETTON_BURN, (s) => ({
    queryId: s.loadUintBig(64),
    amount: s.loadCoins(),
    responseDestination: loadMaybeAddress(s),
    customPayload: loadMaybePayload(s),
  }))

/*
 * transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
 *   forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
 */
export const loadNftTransfer = (body: Cell) =>
  read(body, NFT_TRANSFER, (s) => ({
    queryId: s.loadUintBig(64),
    newOwner: loadAddress(s),
    responseDestination: loadMaybeAddress(s),
    customPayload: loadMaybePayload(s),
    forwardAmount: loadMaybeCoins(s),
    forwardPayload: loadPayload(s),
  }))
