import { crc32, deflateSync } from 'node:zlib'

/* Pictures for tests. The PNG is complete and can be drawn; the others have correct headers only. */

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(8 + body.length)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body) >>> 0, 4 + body.length)
  return framed
}

/** A PNG of one colour (red, green, blue). Pictures of more than a million pixels have no rows. */
export const pngOf = (width: number, height: number, colour: readonly [number, number, number] = [20, 120, 200]): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const isDrawn = width * height <= 1_000_000
  const row = Buffer.concat([Buffer.from([0]), ...(isDrawn ? Array.from({ length: width }, () => Buffer.from(colour)) : [])])
  const rows = isDrawn ? Buffer.concat(Array.from({ length: height }, () => row)) : row
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

/** The head of a GIF. */
export const gifOf = (width: number, height: number): Buffer => {
  const head = Buffer.from('GIF89a0000\0\0\0;', 'latin1')
  head.writeUInt16LE(width & 0xffff, 6)
  head.writeUInt16LE(height & 0xffff, 8)
  return head
}

/** The segments of a JPEG up to its frame. `before`: segments in front of the frame. */
export const jpegOf = (width: number, height: number, before: Buffer = Buffer.from([0xff, 0xe0, 0, 4, 0, 0])): Buffer => {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height & 0xffff, 5)
  frame.writeUInt16BE(width & 0xffff, 7)
  return Buffer.concat([Buffer.from([0xff, 0xd8]), before, frame])
}

/** The head of a WebP in one of its forms. */
export const webpOf = (form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF\x20\0\0\0WEBP', 0, 'latin1')
  bytes.write(form, 12, 'latin1')
  if (form === 'VP8 ') {
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  } else if (form === 'VP8L') {
    bytes[20] = 0x2f
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  }
  return bytes
}
