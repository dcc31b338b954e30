import type { send } from '../v2/send.ts'
import type { Examples } from './example.ts'
import { EMPTY_CELL, FRIENDLY } from './values.ts'

/** An external message to an account that has no code, which no chain accepts. */
const REFUSED = 'te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAAAAABLPan6A='

export const sendExamples = {
  sendBoc: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN' }],
  sendBocReturnHash: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN' }],
  sendBocReturnHashNoError: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN_400' }],
  estimateFee: [
    { title: 'an empty body', params: { address: FRIENDLY, body: EMPTY_CELL, init_code: '', init_data: '', ignore_chksig: true } },
  ],
} satisfies Examples<keyof typeof send>
