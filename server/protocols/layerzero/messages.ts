import type { Values } from '../../actions/action.ts'
import { hexText } from '../../actions/boc-and-hex-texts.ts'
import type { Step } from '../../actions/step.ts'
import type { Cell } from '../../cell/cell.ts'
import { bodiesOf } from '../../decode/bodies.ts'

/*
 * Cells of LayerZero. https://github.com/LayerZero-Labs/LayerZero-v2/tree/main/packages/layerzero-v2/ton
 *
 * A cell (called "class") begins with a header that describes its fields: bits with the names and positions of the fields, then bits that are all ones.
 * `name` is ASCII text as a number: "lzSend".
 */
const { load } = bodiesOf(`
type LayerzeroPath - -  header u152=8903714975572488637007080065659, ones u198=401734511064747568885490523085290650630550748445698208825343,
  src_eid u32, src_oapp u256, dst_eid u32, dst_oapp u256
type LayerzeroPacket - -  header u152=417359019239977417716476838698419835,
  ones u198=401734511064747568885490523085290650630550748445698208825343, path ^LayerzeroPath, message ^cell, nonce u64, guid u256
type LayerzeroFees - -  msglib_connection u256, native_fee u128, zro_fee u128
type LayerzeroSend - -  name u80=119272640966244, header u180=582890735024998957421269964955452773563747974476099581,
  ones u90=1237940039285380274899124223, send_request_id u64, msglib_manager u256, msglib u256, packet ^cell, extra_options ^cell,
  fees ^LayerzeroFees
type LayerzeroVerification - -  header u116=38421788582694199859296615363593851,
  ones u234=27606985387162255149739023449108101809804435888681546220650096895197183, nonce u64, status u32
`)

export const loadPacket = (cell: Cell) => {
  const { path, message, nonce, guid } = load('type LayerzeroPacket', cell)
  const { src_oapp, dst_oapp, src_eid, dst_eid } = path
  const bytes = message.slice().loadBits(message.bits)
  const ids = { src_oapp: hexText(src_oapp), dst_oapp: hexText(dst_oapp), src_eid, dst_eid }
  return { ...ids, nonce, guid: hexText(guid), message: `0x${Buffer.from(bytes).toString('hex')}` }
}

/** The cell is three references deep in channel_send_callback#a2b5fbae. */
export const loadSendCallback = (step: Step): { send: Values; packet: Values } => {
  const { send_request_id, msglib_manager, msglib, packet, fees } = load('type LayerzeroSend', step.body.ref(0).ref(0).ref(0))
  const { native_fee, zro_fee } = fees
  const send = { send_request_id, msglib_manager: hexText(msglib_manager), msglib: hexText(msglib), native_fee, zro_fee }
  return { send, packet: loadPacket(packet) }
}

const STATUSES: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
])

/** The cell is two references deep in uln_connection_verify_callback#3cb38090. */
export const loadVerification = (step: Step): { nonce: bigint; status: string } => {
  const { nonce, status } = load('type LayerzeroVerification', step.body.ref(0).ref(0))
  return { nonce, status: STATUSES.get(status) ?? `unknown_${status}` }
}
