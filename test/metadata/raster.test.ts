import { describe, expect, it } from 'vitest'
import { readRaster } from '../../server/metadata/raster.ts'
import { gifOf, jpegOf, pngOf, webpOf } from '../kit/pictures.ts'
import { createRandom } from '../kit/random.ts'

/* What a picture is, by its first bytes. */

describe('the kind and size of a picture', () => {
  it('the kind and size of a picture are read from the head of a PNG, a GIF, a JPEG and the three forms of WebP', () => {
    expect(readRaster(pngOf(300, 200))).toEqual({ type: 'image/png', width: 300, height: 200 })
    expect(readRaster(gifOf(3, 4))).toEqual({ type: 'image/gif', width: 3, height: 4 })
    expect(readRaster(jpegOf(640, 480))).toEqual({ type: 'image/jpeg', width: 640, height: 480 })
    for (const form of ['VP8 ', 'VP8L', 'VP8X'] as const)
      expect([form, readRaster(webpOf(form, 500, 400))]).toEqual([form, { type: 'image/webp', width: 500, height: 400 }])
  })

  it('SVG, HTML, PDF, scripts, and text that only begins like a picture have no kind and size', () => {
    const others = [
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      '<?xml version="1.0"?><svg/>',
      '<html><script>alert(1)</script>',
      '%PDF-1.7',
      'GIF8',
      'GIF89a',
      'GIF87b<script>alert(1)</script>',
      '\u0089PNG\r\n\u001a\n',
      'RIFF\u0000\u0000\u0000\u0000WEBPVP8 ',
      'RIFF0000WEBPEVIL<script>alert(1)</script>00000000',
      '',
    ]
    for (const text of others) expect([text, readRaster(Buffer.from(text, 'latin1'))]).toEqual([text, undefined])
  })

  it('pictures without pixels, and with more than a browser should unpack, have no kind and size', () => {
    for (const [width, height] of [
      [0, 10],
      [10, 0],
      [8_193, 1],
      [1, 60_000],
      [8_192, 8_192],
    ] as const) {
      const made = [pngOf(width, height), gifOf(width, height), jpegOf(width, height)]
      expect([width, height, made.map(readRaster)]).toEqual([width, height, [undefined, undefined, undefined]])
    }
    expect(readRaster(pngOf(0xffff_ffff, 0xffff_ffff))).toBeUndefined()
    expect(readRaster(pngOf(8_192, 2_048))).toBeDefined()
  })

  it('the size of a JPEG is found after any segments, and segments that lie about their length end the search', () => {
    const fill = Buffer.from([0xff, 0xff, 0xff, 0xfe, 0, 4, 1, 2])
    expect(readRaster(jpegOf(7, 9, fill))).toEqual({ type: 'image/jpeg', width: 7, height: 9 })
    const empty = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: 50_000 }, () => Buffer.from([0xff, 0xe1, 0, 0]))])
    expect(readRaster(empty)).toBeUndefined()
    expect(readRaster(Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]))).toBeUndefined()
    expect(readRaster(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1 << 20, 0xff)]))).toBeUndefined()
  })

  it('reading a picture never throws, whatever the bytes, and whatever is cut off', () => {
    const random = createRandom(21)
    const whole = [pngOf(9, 9), gifOf(9, 9), jpegOf(9, 9), webpOf('VP8 ', 9, 9), webpOf('VP8L', 9, 9), webpOf('VP8X', 9, 9)]
    for (const bytes of whole)
      for (let length = 0; length < bytes.length; length++) expect(() => readRaster(bytes.subarray(0, length))).not.toThrow()
    for (let i = 0; i < 5_000; i++) {
      const bytes = Buffer.from(whole[i % whole.length]!)
      for (let j = 0; j < 4; j++) bytes[random.below(bytes.length)] = random.below(256)
      expect(() => readRaster(bytes)).not.toThrow()
    }
  })
})
