import * as z from 'zod'
import { bytes } from '../fields/bytes.ts'
import { bodies, opcodes } from '../fields/v3/decode.ts'
import { patience } from '../fields/v3/request-settings.ts'
import { method } from '../method.ts'
import { decoded, inspectedBody } from '../models/v3/decode.ts'
import { COMMENT, EMPTY_CELL } from '../samples.ts'
import { pure } from '../v2/utils.ts'

export const decode = {
  'v3.decode': method({
    ...pure,
    api: 'v3',
    summary: 'Names of opcodes, and message bodies with their fields.',
    examples: [
      { title: 'an opcode and a comment', params: { opcodes: ['0x0f8a7ea5', '1'], bodies: [COMMENT, 'zz'] } },
      { title: 'nothing', params: {} },
    ],
    params: z.object({ opcodes: opcodes().default([]), bodies: bodies().default([]), ...patience }),
    result: decoded,
  }),
  inspectBody: method({
    ...pure,
    summary: 'A message body with its fields, and what stands after its last known field.',
    examples: [
      { title: 'a comment', params: { body: COMMENT } },
      { title: 'an empty body', params: { body: EMPTY_CELL } },
    ],
    params: z.object({ body: bytes('The body, as a BoC.') }),
    result: inspectedBody,
  }),
}
