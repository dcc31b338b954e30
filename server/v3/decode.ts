import { TonError } from '../../shared/errors.ts'
import { decodeBase64 } from '../../shared/fields/base64.ts'
import type { Handlers } from '../base/call.ts'
import { byteText } from '../base/memory/byte-text.ts'
import { createPermits } from '../base/permits.ts'
import { mapWithPauses, yieldToEventLoop } from '../base/yield.ts'
import { serializeBoc } from '../cell/boc.ts'
import { answerBudget, type Budget, type Json } from '../decode/decode.ts'
import { inspectBody, opcodeName, showBody } from '../protocols/index.ts'
import { cellOf, measured } from './shapes/decoded.ts'

/** The bytes of a body, or why it cannot be decoded. Every BoC in base64 begins with "te6"; other texts are hex. */
const bytesOf = (text: string): Uint8Array | string => {
  if (text.startsWith('te6')) return decodeBase64(text) ?? 'failed to decode base64: not standard base64 with its padding'
  if (text.length % 2 !== 0) return 'failed to decode hex: an odd number of characters'
  return /^[0-9a-fA-F]*$/.test(text) ? Buffer.from(text, 'hex') : 'failed to decode hex: a character that is no hex digit'
}

/** Sorts the keys of an object recursively, as TON Center's /decode does. */
const sorted = (json: Json): Json => {
  if (typeof json !== 'object') return json
  const keys = Object.keys(json).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted(json[key]!)]))
}

/** Maximum characters of all decoded bodies of an answer. */
const MAX_DECODED = 1 << 24

interface Limits extends Budget {
  /** Characters that decoded bodies may still take. */
  json: number
}

const decode = (text: string, limits: Limits): Record<string, unknown> => {
  const bytes = bytesOf(text)
  if (typeof bytes === 'string') return { error: `unknown: ${bytes}` }
  const cell = cellOf(bytes)
  if (typeof cell === 'string') return { error: `unknown: failed to deserialize boc: ${cell}` }
  const { shown: result, characters } = measured(limits, () => showBody(cell, limits))
  limits.json -= characters
  if (limits.json < 0) return { error: `unknown: the decoded bodies have more than ${MAX_DECODED} characters: ask for fewer` }
  return 'unknown' in result ? { error: `unknown: ${result.unknown}` } : (sorted(result.shown) as Record<string, unknown>)
}

export const decodeHandlers = () => {
  /** A body of a few hundred bytes can have megabytes of JSON, whose objects take several times as much memory. */
  const permits = createPermits({ atOnce: 2, waiting: 256, patience: 8_000, text: 'too many bodies are decoded at once; try again' })
  return {
    'v3.decode': async ({ opcodes, bodies }, { signal, client }) => {
      using _permit = await permits.take(signal, client)
      const limits = { ...answerBudget(), json: MAX_DECODED }
      return {
        opcodes: opcodes.map((opcode) => opcodeName(opcode) ?? 'unknown'),
        bodies: await mapWithPauses(bodies, (text) => decode(text, limits), signal),
      }
    },

    async inspectBody({ body }, { signal, client }) {
      using _permit = await permits.take(signal, client)
      await yieldToEventLoop()
      const cell = cellOf(body)
      if (typeof cell === 'string') throw new TonError('INVALID_PARAMS', `failed to parse body: ${cell}`)
      const { decoded, leftBits, left } = inspectBody(cell)
      return {
        decoded,
        left_bits: leftBits,
        left: left.map((each) => ({
          hash: byteText(each.cell.hash(), 'base64'),
          boc: Buffer.from(serializeBoc(each.cell)).toString('base64'),
          decoded: each.decoded,
        })),
      }
    },
  } satisfies Partial<Handlers>
}
