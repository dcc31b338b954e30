import { expect, it } from 'vitest'
import { readDocument } from '../../server/metadata/fetcher.ts'

/* Documents of off-chain metadata, which anybody writes. */

const timeOf = (work: () => unknown): number => {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return user + system
}

it('a document of a megabyte of empty lists is refused before it is parsed', () => {
  const text = `{${Array.from({ length: 90_000 }, (_, i) => `"${i.toString(36)}k":[]`).join(',')}}`
  const bytes = Buffer.from(text)
  expect(readDocument(bytes)).toBeUndefined()
  expect(timeOf(() => readDocument(bytes))).toBeLessThan(timeOf(() => JSON.parse(text)) / 3)
})

it('a document that is large by its spaces and escapes alone is taken', () => {
  const name = '\\u0410'.repeat(40_000)
  expect(readDocument(Buffer.from(`{${' '.repeat(500_000)}"name":"${name}"}`))).toBe(`{"name":"${'\u0410'.repeat(40_000)}"}`)
})
