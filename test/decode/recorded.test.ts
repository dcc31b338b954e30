import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { opcodeName, showInList } from '../../server/protocols/index.ts'

interface Recorded {
  readonly source: string
  readonly opcode: string | null
  readonly decoded_opcode: string | null
  readonly body: string
  readonly decoded: Record<string, unknown> | null
}

const recorded = readFileSync(new URL('../data/decode/recorded.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

describe('what TON Center showed of recorded messages', () => {
  it.each(
    recorded.map((each) => [each.decoded?.['@type'] ?? each.opcode, each] as const),
  )('%s is decoded as TON Center decoded it', (_, each) => {
    const shown = showInList(parseBocRoot(Buffer.from(each.body, 'base64')))
    expect(shown).toEqual(each.decoded)
    // The order of keys is the schema's; a text comment is written by another encoder there, in the order of the alphabet.
    if (shown && shown['@type'] !== 'text_comment') expect(JSON.stringify(shown)).toBe(JSON.stringify(each.decoded))
  })

  it.each(recorded.filter(({ opcode }) => opcode !== null))('the opcode $opcode is named $decoded_opcode', ({ opcode, decoded_opcode }) => {
    expect(opcodeName(Number(opcode))).toBe(decoded_opcode)
  })
})
