import type { PICTURE_TYPES } from '../../shared/v2/picture.ts'

/*
 * Finds the format and size of a raster picture from its first bytes. Pictures are untrusted, so nothing is decoded, and nothing after the header is read.
 */

export interface Raster {
  readonly type: (typeof PICTURE_TYPES)[number]
  readonly width: number
  readonly height: number
}

/** Maximum pixels of one side, and of the picture. A small file can decode to a picture that exhausts a browser's memory. */
const MAX_SIDE = 8_192
const MAX_PIXELS = 4_096 * 4_096

const startsWith = (bytes: Buffer, ...head: number[]): boolean => head.every((byte, i) => bytes[i] === byte)
const textAt = (bytes: Buffer, at: number, length = 4): string => bytes.toString('latin1', at, at + length)

/** PNG: the signature, then the chunk IHDR with width and height. */
const png = (bytes: Buffer): Raster | undefined =>
  startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) && bytes.length >= 33 && textAt(bytes, 12) === 'IHDR'
    ? { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

/** GIF: the size of the logical screen follows the signature. */
const gif = (bytes: Buffer): Raster | undefined =>
  /^GIF8[79]a$/.test(textAt(bytes, 0, 6)) && bytes.length >= 13
    ? { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    : undefined

/** JPEG markers that begin a frame (ITU T.81, table B.1): C0 to CF except DHT, JPG and DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** JPEG: skips segments up to the one that begins the frame. Every segment has at least two bytes, so the loop ends. */
const jpeg = (bytes: Buffer): Raster | undefined => {
  if (!startsWith(bytes, 0xff, 0xd8, 0xff)) return undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    // Any number of FF bytes may come before a marker.
    if (marker === 0xff) at++
    else if (isFrame(marker)) return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // Only invalid pictures have scan data, the end marker or a marker without a segment before the frame.
    else if (marker === 0xda || marker === 0xd9 || marker === 0 || (marker >= 0xd0 && marker <= 0xd7)) return undefined
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

/** WebP: a RIFF file whose first chunk is VP8 (lossy), VP8L (lossless) or VP8X (extended). */
const webp = (bytes: Buffer): Raster | undefined => {
  if (textAt(bytes, 0) !== 'RIFF' || textAt(bytes, 8) !== 'WEBP' || bytes.length < 30) return undefined
  const type = 'image/webp'
  switch (textAt(bytes, 12)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return bytes[20] === 0x2f ? { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/**
 * Returns kind and size of a PNG, JPEG, GIF or WebP picture. Returns undefined for other formats (such as SVG), and for pictures with too many pixels or
 * none.
 */
export const readRaster = (data: Uint8Array): Raster | undefined => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const found = png(bytes) ?? jpeg(bytes) ?? gif(bytes) ?? webp(bytes)
  if (found === undefined) return undefined
  const { width, height } = found
  const isDrawn = width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS
  return isDrawn ? found : undefined
}
