import { describe, expect, it } from 'vitest'
import { packed } from '../../server/base/threads/packed.ts'

const whole = Uint8Array.of(1, 2, 3)
const part = new Uint8Array(100).subarray(10, 12)

describe('what goes between threads', () => {
  it('messages to another thread carry their own bytes alone', () => {
    const value = { id: { seqno: 5, shard: 1n << 63n, rootHash: part, none: undefined, nothing: null }, list: [whole, part, 'text', 7] }
    const sent = packed(value)
    expect(sent).toEqual(value)
    expect([sent.id.rootHash.buffer.byteLength, (sent.list[1] as Uint8Array).buffer.byteLength]).toEqual([2, 2])
    // The one that was given is as it was.
    expect([value.id.rootHash, sent.list[0]]).toEqual([part, whole])
    expect(value.id.rootHash.buffer.byteLength).toBe(100)
    expect(Object.keys(sent.id)).toEqual(Object.keys(value.id))
  })

  it('messages to another thread are not copied if nothing changes', () => {
    const value = { a: { b: [1, 2], c: whole }, d: 'text', e: new Date(0) }
    expect(packed(value).a.c).toBe(whole)
    expect(packed(value).e).toBe(value.e)
    const plain = { a: 1, b: { c: 'd' } }
    expect(packed(plain)).toBe(plain)
  })
})
