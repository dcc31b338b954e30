import { expect, it } from 'vitest'
import { loadComment, newTextBudget, textOf } from '../../server/actions/comment-text.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { createRandom } from '../kit/random.ts'

/* Comments as text. The reference asks a TextDecoder about each character. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

const reference = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) => at + n <= bytes.length && decoded(bytes.subarray(at, at + n)) !== undefined)
    text += length === undefined ? `\\x${bytes[at]!.toString(16).padStart(2, '0')}` : decoded(bytes.subarray(at, at + length))
    at += length ?? 1
  }
  return text.replaceAll('\0', '')
}

it('bytes that are not UTF-8 are escaped one by one, whatever stands around them', () => {
  const random = createRandom(8)
  // The edges of what may follow which first byte.
  const edges = [
    0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5,
    0xff,
  ]
  for (let i = 0; i < 5_000; i++) {
    const bytes = Uint8Array.from({ length: random.below(12) }, () => random.pick(edges))
    expect(textOf(bytes), Buffer.from(bytes).toString('hex')).toBe(reference(bytes))
  }
})

it('a comment that is nothing but bad bytes is read', () => {
  expect(textOf(new Uint8Array(260_000).fill(0xc2))).toBe('\\xc2'.repeat(260_000))
})

it('comments that share a budget are null once it is spent', () => {
  const comment = (): ReturnType<typeof loadComment> =>
    loadComment(beginCell().storeBytes(Buffer.from('six by')).end().slice(), false, budget)
  const budget = { bytes: 20 }
  expect([comment(), comment(), comment(), comment()]).toEqual(['six by', 'six by', 'six by', null])
  expect(newTextBudget().bytes).toBe(1 << 20)
})
