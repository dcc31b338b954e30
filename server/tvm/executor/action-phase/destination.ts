import type { MsgAddressInt, VarAddress } from '../../../tlb/address.ts'
import { sameBytes } from '../../../tlb/bytes.ts'
import type { WorkchainDescr } from '../../../tlb/config/workchains.ts'
import type { TransactionRun } from '../transaction-run.ts'

/** Returns whether addresses of a workchain may have this length (`WorkchainInfo::is_valid_addr_len`). */
const validLength = ({ format }: WorkchainDescr, bits: number): boolean => {
  if (format.type === 'basic') return bits === 256
  const { minAddrLen, maxAddrLen, addrLenStep } = format
  if (bits < minAddrLen || bits > maxAddrLen) return false
  return bits === minAddrLen || bits === maxAddrLen || (addrLenStep > 0 && (bits - minAddrLen) % addrLenStep === 0)
}

const prefixOf = (id: Uint8Array, bits: number): Uint8Array => {
  const prefix = id.slice(0, (bits + 7) >>> 3)
  if (bits & 7) prefix[prefix.length - 1]! &= 0xff00 >> (bits & 7)
  return prefix
}

/** Rewrites an anycast destination with the sender's prefix. */
const towards = (address: VarAddress, id: Uint8Array): VarAddress => {
  const { anycast } = address
  if (anycast === undefined) return address
  const prefix = prefixOf(id, anycast.depth)
  return sameBytes(prefix, anycast.prefix) ? address : { ...address, anycast: { depth: anycast.depth, prefix } }
}

const plain = (address: VarAddress): MsgAddressInt => {
  if (address.bits !== 256 || address.workchain < -128 || address.workchain > 127) return address
  if (address.anycast !== undefined) return { ...address, std: true }
  return { type: 'std', workchain: address.workchain, hash: address.data }
}

/**
 * Returns the destination of a message in its final form; undefined if it is invalid (`check_rewrite_dest_addr`). The configuration must have the workchain of
 * the destination, and the workchain must accept messages. An anycast destination is valid only if `allowAnycast`.
 */
export const destinationOf = (run: TransactionRun, dest: MsgAddressInt, allowAnycast: boolean): MsgAddressInt | undefined => {
  const bits = dest.type === 'std' ? 256 : dest.bits
  if (dest.workchain === -1) {
    if (bits !== 256) return undefined
  } else {
    const workchain = run.config.workchains.get(dest.workchain)
    if (workchain === undefined || !workchain.acceptMsgs || !validLength(workchain, bits)) return undefined
  }
  if (dest.type === 'std') return dest
  if (dest.anycast !== undefined && !allowAnycast) return undefined
  return plain(towards(dest, run.account.id.hash))
}
