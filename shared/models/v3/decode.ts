import * as z from 'zod'

/** The answer of v3.decode: names and bodies, in the order of the request. */
export const decoded = z
  .strictObject({
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
  .meta({ id: 'V3Decoded' })
