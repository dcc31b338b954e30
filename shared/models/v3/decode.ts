import * as z from 'zod'
import { base64, hash44, int, many, model } from '../value-formats.ts'

export const decoded = model('V3Decoded', {
  opcodes: z.array(z.string()).meta({
    description: 'Names of the opcodes in the order of the request; `unknown` where no constructor has the opcode.',
    examples: [['jetton_transfer']],
  }),
  bodies: z.array(z.record(z.string(), z.unknown())).meta({
    description:
      'The bodies in the order of the request: `@type` and the fields, keys in the order of the alphabet; or `error` with the reason.',
    examples: [[{ '@type': 'text_comment', text: 'hi' }]],
  }),
})

const fields = (of: string) =>
  z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({
      description: `${of}: \`@type\` and the fields; null if no known constructor fits.`,
      examples: [{ '@type': 'text_comment', text: 'hi' }],
    })

export const inspectedBody = model('InspectedBody', {
  decoded: fields('The body'),
  left_bits: int('Bits after the last known field, or all bits of an unknown body.', 0),
  left: many(
    'References after the last known field, or all references of an unknown body.',
    model('LeftCell', { hash: hash44('Hash of the cell.'), boc: base64('The cell, as a BoC.'), decoded: fields('The cell as a body') }),
  ),
})
