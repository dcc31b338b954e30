import * as z from 'zod'
import { bodies, opcodes } from '../fields/v3/decode.ts'
import { patience } from '../fields/v3/overrides.ts'
import { method } from '../method.ts'
import { decoded } from '../models/v3/decode.ts'
import { COMMENT } from '../samples.ts'

/** Decoding of message bodies. It reads neither the chain nor the index. */
export const decode = {
  'v3.decode': method({
    heading: 'Utils',
    api: 'v3',
    effect: 'read',
    needs: 'nothing',
    rest: 'GET, POST',
    weight: 1,
    cache: 'never',
    summary: 'Names of opcodes, and message bodies with their fields.',
    examples: [
      { title: 'an opcode and a comment', params: { opcodes: ['0x0f8a7ea5', '1'], bodies: [COMMENT, 'zz'] } },
      { title: 'nothing', params: {} },
    ],
    params: z.object({ opcodes: opcodes().default([]), bodies: bodies().default([]), ...patience }),
    result: decoded,
  }),
}
