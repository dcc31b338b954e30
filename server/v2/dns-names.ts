import { TonError } from '../../shared/errors.ts'
import { crc16 } from '../../shared/fields/crc16.ts'

/* Domain names as the get-method `dnsresolve` takes them (TEP-81): components from the last to the first, each followed by a zero byte. */

const MAX_ENCODED = 127

/** Encodes a name: `a.ton.` is `\0ton\0a\0`; the empty name and `.` are one zero byte. Throws INVALID_PARAMS over 127 bytes. */
export const encodeName = (name: string): Buffer => {
  const parts = name === '' || name === '.' ? [''] : name.split('.').reverse()
  const encoded = Buffer.from(`${parts.join('\0')}\0`, 'utf8')
  // A leading dot is not a component. Names such as `.ton` come from resolvers that stop before the dot.
  const text = name.startsWith('.') && name !== '.' ? encoded.subarray(0, encoded.length - 1) : encoded
  if (text.length > MAX_ENCODED) throw new TonError('INVALID_PARAMS', 'DNS encoded name is too long')
  return text
}

/** Decodes the resolved part of a name: the first bytes of its encoding. */
export const decodeName = (encoded: Buffer): string => {
  let rest = encoded.toString('utf8')
  let name = ''
  while (rest !== '') {
    const at = rest.lastIndexOf('\0')
    name += rest.slice(at + 1)
    if (at < 0) break
    name += '.'
    rest = rest.slice(0, at)
  }
  return name
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** TON's text form of an ADNL address: base32 of the tag 0x2d, the 32 bytes and a CRC16, without the first letter, which is always the same. */
export const adnlText = (id: Uint8Array): string => {
  const bytes = Buffer.concat([Buffer.of(0x2d), id, Buffer.alloc(2)])
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 33)), 33)
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(value >> bits) & 31]
    }
  }
  return text.slice(1)
}
