import { TlError } from './error.ts'
import { BOOL_FALSE, BOOL_TRUE } from './reader.ts'

/** Maximum length of a bytes value, because its length field has three bytes. */
const MAX_BYTES = 0xffffff

export const createTlWriter = (expected = 256) => {
  let data = Buffer.allocUnsafe(expected)
  let at = 0
  const room = (length: number): number => {
    const start = at
    at += length
    if (at > data.length) {
      const grown = Buffer.allocUnsafe(Math.max(at, data.length * 2))
      data.copy(grown, 0, 0, start)
      data = grown
    }
    return start
  }
  const int = (value: number): void => {
    const start = room(4)
    data.writeInt32LE(value | 0, start)
  }
  return {
    int,
    long(value: bigint): void {
      const start = room(8)
      data.writeBigUInt64LE(BigInt.asUintN(64, value), start)
    },
    fixed(value: Uint8Array, length: number): void {
      if (value.length !== length) throw new TlError(`${length} bytes are needed, not ${value.length}`)
      const start = room(length)
      data.set(value, start)
    },
    bytes(value: Uint8Array): void {
      const { length } = value
      if (length > MAX_BYTES) throw new TlError(`${length} bytes are more than TL can carry`)
      const head = length < 254 ? 1 : 4
      const padding = -(head + length) & 3
      const start = room(head + length + padding)
      if (head === 1) data[start] = length
      else data.writeUInt32LE(length * 256 + 254, start)
      data.set(value, start + head)
      data.fill(0, start + head + length, start + head + length + padding)
    },
    bool: (value: boolean): void => int(value ? BOOL_TRUE : BOOL_FALSE),
    finish: (): Buffer => data.subarray(0, at),
  }
}
export type TlWriter = ReturnType<typeof createTlWriter>
