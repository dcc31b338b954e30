import type { Values } from '../../actions/action.ts'
import { hexText } from '../../actions/boc-and-hex-texts.ts'
import type { Step } from '../../actions/step.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'

/*
 * Bodies of LayerZero. https://github.com/LayerZero-Labs/LayerZero-v2/tree/main/packages/layerzero-v2/ton
 *
 * A cell (called "class") begins with a header that describes its fields: bits with the names and positions of the fields, then bits that are all ones.
 */

interface Header {
  readonly bits: number
  readonly info: bigint
  readonly ones: number
}

const LZ_SEND: Header = { bits: 180, info: 582890735024998957421269964955452773563747974476099581n, ones: 90 }
const PACKET: Header = { bits: 152, info: 417359019239977417716476838698419835n, ones: 198 }
const PATH: Header = { bits: 152, info: 8903714975572488637007080065659n, ones: 198 }
const VERIFICATION: Header = { bits: 116, info: 38421788582694199859296615363593851n, ones: 234 }

/** Name of the content of a LayerZero message: ASCII text in an 80-bit integer. */
const LZ_SEND_NAME = BigInt(`0x${Buffer.from('lzSend').toString('hex')}`)

const expectHeader = (s: Slice, { bits, info, ones }: Header): void => {
  if (s.loadUintBig(bits) !== info || s.loadUintBig(ones) !== (1n << BigInt(ones)) - 1n)
    throw new CellError('range', 'a class of LayerZero with another header')
}

/** header src_eid:uint32 src_oapp:uint256 dst_eid:uint32 dst_oapp:uint256 = Path; */
const loadPath = (cell: Cell) => {
  const s = cell.slice()
  expectHeader(s, PATH)
  const src_eid = s.loadUint(32)
  const src_oapp = hexText(s.loadUintBig(256))
  const dst_eid = s.loadUint(32)
  return { src_oapp, dst_oapp: hexText(s.loadUintBig(256)), src_eid, dst_eid }
}

export interface Packet extends Values {
  readonly dst_oapp: string
}

/** header path:^Path message:^Cell nonce:uint64 guid:uint256 = Packet; */
export const loadPacket = (cell: Cell): Packet => {
  const s = cell.slice()
  expectHeader(s, PACKET)
  const path = loadPath(s.loadRef())
  const message = s.loadRef()
  const bytes = message.slice().loadBits(message.bits)
  const nonce = s.loadUintBig(64)
  return { ...path, nonce, guid: hexText(s.loadUintBig(256)), message: `0x${Buffer.from(bytes).toString('hex')}` }
}

/**
 * name:uint80 header send_request_id:uint64 msglib_manager:uint256 msglib:uint256 packet:^Packet extra_options:^Cell
 *   ^[ msglib_connection:uint256 native_fee:uint128 zro_fee:uint128 ... ] = LzSend;
 * The cell is three references deep in channel_send_callback#a2b5fbae.
 */
export const loadSendCallback = (step: Step): { send: Values; packet: Packet } => {
  const s = step.message.body.ref(0).ref(0).ref(0).slice()
  if (s.loadUintBig(80) !== LZ_SEND_NAME) throw new CellError('range', 'no lzSend of LayerZero')
  expectHeader(s, LZ_SEND)
  const send_request_id = s.loadUintBig(64)
  const msglib_manager = hexText(s.loadUintBig(256))
  const msglib = hexText(s.loadUintBig(256))
  const packet = loadPacket(s.loadRef())
  s.loadRef()
  const fees = s.loadRef().slice().skip(256)
  return { send: { send_request_id, msglib_manager, msglib, native_fee: fees.loadUintBig(128), zro_fee: fees.loadUintBig(128) }, packet }
}

const STATUSES: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
])

/** header nonce:uint64 status:uint32 = VerificationStatus; the cell is two references deep in uln_connection_verify_callback#3cb38090. */
export const loadVerification = (step: Step): { nonce: bigint; status: string } => {
  const s = step.message.body.ref(0).ref(0).slice()
  expectHeader(s, VERIFICATION)
  const nonce = s.loadUintBig(64)
  const code = s.loadUint(32)
  return { nonce, status: STATUSES.get(code) ?? `unknown_${code}` }
}
