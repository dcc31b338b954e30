import { expect, test } from 'vitest'
import { borrowJsonBytes, JsonBytes, returnJsonBytes } from '../../../server/base/json/bytes.ts'

test('bytes that are taken stay as they are while more is written', () => {
  const out = new JsonBytes()
  out.json('"first"')
  const first = out.take()
  for (let i = 0; i < 50_000; i++) out.word('abcdefgh')
  expect(String(first)).toBe('"first"')
  expect(out.take().length).toBe(500_000)
  out.json('"last"')
  expect(String(out.take())).toBe('"last"')
})

test('text is whole after any other text of the same writer', () => {
  const out = new JsonBytes()
  for (const text of ['"abc"', '"Звезда 🌟"', '"abc"', '"é"']) {
    out.json(text)
    expect(out.text()).toBe(text)
  }
})

test('a value that is written again is text like any other', () => {
  const out = new JsonBytes()
  out.json('"Звезда 🌟"')
  const again = out.since(0)
  expect(String(out.take())).toBe('"Звезда 🌟"')
  out.part(again)
  expect(out.text()).toBe('"Звезда 🌟"')
})

test('a spare writer is given once, with nothing of what it wrote before', () => {
  const out = borrowJsonBytes()
  out.json('"é"')
  out.text()
  returnJsonBytes(out)
  const again = borrowJsonBytes()
  expect(again).toBe(out)
  expect(borrowJsonBytes()).not.toBe(out)
  expect(again.length).toBe(0)
})
