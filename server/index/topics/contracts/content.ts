import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { readContent } from '../../../tlb/contracts/token-content.ts'

type Attributes = Readonly<Record<string, string>>

/**
 * Maximum bytes of a token's content as JSON. A get-method can make half a megabyte of it from a few cells, because one byte can become `\u0001`, and one
 * block can have a thousand such tokens. Of longer content the longest attributes are left out.
 */
export const MAX_CONTENT = 32 << 10

const write = (content: Attributes): string => {
  const text = JSON.stringify(content)
  if (Buffer.byteLength(text) <= MAX_CONTENT) return text
  const sized = Object.entries(content).map(([name, value]) => ({
    name,
    value,
    bytes: Buffer.byteLength(JSON.stringify({ [name]: value })),
  }))
  const fitting: Record<string, string> = {}
  let left = MAX_CONTENT
  for (const { name, value, bytes } of sized.sort((a, b) => a.bytes - b.bytes)) {
    left -= bytes
    if (left < 0) break
    fitting[name] = value
  }
  return JSON.stringify(fitting)
}

/**
 * Reads TEP-64 content as JSON in the form of v3: a flat object of strings, with off-chain content as `uri`, and at most MAX_CONTENT bytes. Undefined if the
 * cell has no such content.
 */
export const tokenContent = (cell: Cell): string | undefined =>
  attempt(() => {
    const content = cell.exotic ? undefined : readContent(cell)
    if (content === undefined) return undefined
    return write(content.type === 'offchain' ? { uri: content.data } : content.data)
  })
