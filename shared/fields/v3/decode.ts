import { type Field, FieldError, field } from '../field.ts'
import { unconvertible, unconvertibleAt } from './convert-errors.ts'
import { MAX_ELEMENTS } from './list.ts'

/** The texts of a list: repeated names, an array or a single text. Empty texts are included, so that positions in the answer match the request. */
const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) throw new FieldError(unconvertible)
  return value.map((one, i) => {
    if (typeof one !== 'string') throw new FieldError(unconvertibleAt(i))
    return one
  })
}

const bounded = (value: unknown): readonly string[] => {
  const texts = textsOf(value)
  if (texts.length > MAX_ELEMENTS)
    throw new FieldError((name) => `${name} list exceeds maximum length of ${MAX_ELEMENTS}`, { stage: 'validate' })
  return texts
}

/** Parses an opcode: up to 8 hex digits, otherwise a signed or unsigned decimal number of 32 bits. Returns the unsigned number. */
const opcodeOf = (text: string): number | undefined => {
  if (/^[0-9a-fA-F]+$/.test(text)) {
    const value = Number.parseInt(text, 16)
    if (value < 2 ** 32) return value
  }
  if (!/^[+-]?[0-9]{1,20}$/.test(text)) return undefined
  const value = Number(text)
  return value >= -(2 ** 31) && value < 2 ** 32 ? value >>> 0 : undefined
}

const EXPECTED = 'up to 8 hex digits (0x before them or not), or a decimal number of 32 bits'

/** Opcodes as unsigned numbers. Empty if the parameter is absent. */
export const opcodes = (): Field<readonly number[], string | readonly string[]> =>
  field({
    what: 'Opcodes to name.',
    example: ['0x0f8a7ea5'],
    expected: `one or more opcodes: ${EXPECTED}; as repeated names or as an array; at most ${MAX_ELEMENTS}`,
    wire: { type: 'array', items: { type: 'string' }, maxItems: MAX_ELEMENTS },
    read: (value) =>
      bounded(value).map((text, i) => {
        const digits = text.replace(/^0[xX]/, '')
        const opcode = opcodeOf(digits)
        if (opcode === undefined) {
          throw new FieldError(`invalid opcode format at index ${i}: ${digits.slice(0, 100)}`, { stage: 'validate', expected: EXPECTED })
        }
        return opcode
      }),
  })

/** Bodies as the caller wrote them. Empty if the parameter is absent. */
export const bodies = (): Field<readonly string[], string | readonly string[]> =>
  field({
    what: 'Message bodies to decode.',
    example: ['te6cckEBAQEACAAADAAAAABoaeh7Muk='],
    expected: `one or more message bodies: bags of cells in base64 or hex; as repeated names or as an array; at most ${MAX_ELEMENTS}`,
    wire: { type: 'array', items: { type: 'string' }, maxItems: MAX_ELEMENTS },
    read: bounded,
  })
