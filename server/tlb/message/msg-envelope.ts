import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { loadAddressInt, type MsgAddressInt, storeAddressInt } from '../address.ts'
import { badTag, expectTag, loadMaybe, storeMaybe } from '../common.ts'
import { loadMessageInfo } from './message-info.ts'

/*
 * interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
 * interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
 * interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;
 * msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams msg:^(Message Any) = MsgEnvelope;
 * msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata;
 * msg_envelope_v2#5 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams msg:^(Message Any)
 *   emitted_lt:(Maybe uint64) metadata:(Maybe MsgMetadata) = MsgEnvelope;
 */

export type IntermediateAddress =
  | { readonly type: 'regular' /** Bits from the destination (0 to 96); the others are from the source. */; readonly useDestBits: number }
  | { readonly type: 'simple' | 'ext'; readonly workchain: number; readonly prefix: bigint }

export interface MsgMetadata {
  readonly depth: number
  readonly initiatorAddr: MsgAddressInt
  readonly initiatorLt: bigint
}

export interface MsgEnvelope {
  readonly curAddr: IntermediateAddress
  readonly nextAddr: IntermediateAddress
  readonly fwdFeeRemaining: bigint
  /** Cell of a Message Any. */
  readonly msg: Cell
  /** If one of these two members is set, the record is written as msg_envelope_v2#5. */
  readonly emittedLt?: bigint | undefined
  readonly metadata?: MsgMetadata | undefined
}

const loadIntermediateAddress = (s: Slice): IntermediateAddress => {
  if (!s.loadBit()) {
    const useDestBits = s.loadUint(7)
    if (useDestBits > 96) throw new CellError('range', `IntermediateAddress: ${useDestBits} destination bits`)
    return { type: 'regular', useDestBits }
  }
  const ext = s.loadBit()
  return { type: ext ? 'ext' : 'simple', workchain: s.loadInt(ext ? 32 : 8), prefix: s.loadUintBig(64) }
}

const storeIntermediateAddress = (b: Builder, address: IntermediateAddress): Builder => {
  if (address.type === 'regular') return b.storeUint(address.useDestBits, 8)
  const ext = address.type === 'ext'
  return b
    .storeUint(ext ? 3 : 2, 2)
    .storeInt(address.workchain, ext ? 32 : 8)
    .storeUint(address.prefix, 64)
}

const loadMetadata = (s: Slice): MsgMetadata => {
  expectTag(s, 4, 0, 'MsgMetadata')
  return { depth: s.loadUint(32), initiatorAddr: loadAddressInt(s), initiatorLt: s.loadUintBig(64) }
}

const storeMetadata = (b: Builder, metadata: MsgMetadata): Builder =>
  storeAddressInt(b.storeUint(0, 4).storeUint(metadata.depth, 32), metadata.initiatorAddr).storeUint(metadata.initiatorLt, 64)

export const loadMsgEnvelope = (cell: Cell): MsgEnvelope => {
  const s = cell.slice()
  const tag = s.loadUint(4)
  if (tag !== 4 && tag !== 5) throw badTag('MsgEnvelope', tag)
  const curAddr = loadIntermediateAddress(s)
  const nextAddr = loadIntermediateAddress(s)
  const fwdFeeRemaining = s.loadCoins()
  const msg = s.loadRef()
  const emittedLt = tag === 5 && s.loadBit() ? s.loadUintBig(64) : undefined
  const metadata = tag === 5 ? loadMaybe(s, loadMetadata) : undefined
  // Without either member the record must be written as #4 (MsgEnvelope::unpack of block-parse.cpp).
  if (tag === 5 && emittedLt === undefined && metadata === undefined) throw badTag('MsgEnvelope', '5 without members of its own')
  s.end()
  return { curAddr, nextAddr, fwdFeeRemaining, msg, emittedLt, metadata }
}

export const storeMsgEnvelope = (envelope: MsgEnvelope): Cell => {
  const v2 = envelope.emittedLt !== undefined || envelope.metadata !== undefined
  const b = beginCell().storeUint(v2 ? 5 : 4, 4)
  storeIntermediateAddress(storeIntermediateAddress(b, envelope.curAddr), envelope.nextAddr)
  b.storeCoins(envelope.fwdFeeRemaining).storeRef(envelope.msg)
  if (v2) {
    storeMaybe(b, envelope.emittedLt, (into, lt) => into.storeUint(lt, 64))
    storeMaybe(b, envelope.metadata, storeMetadata)
  }
  return b.end()
}

/** emitted_lt of an envelope or, if absent, created_lt of its message. Queues are ordered by this lt (MsgEnvelope::get_emitted_lt). */
export const emittedLt = (envelope: MsgEnvelope): bigint => {
  if (envelope.emittedLt !== undefined) return envelope.emittedLt
  const info = loadMessageInfo(envelope.msg.slice())
  if (info.type === 'external-in') throw new CellError('range', 'an external-in message has no created_lt')
  return info.createdLt
}
