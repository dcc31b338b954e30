import { notBoth } from '../fields/field.ts'
import { addressOrNone, hashes, v3Hash } from '../fields/v3/addresses-and-hashes.ts'
import { opcode } from '../fields/v3/numbers.ts'
import { direction, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3Messages } from '../models/v3/messages.ts'
import { provenListParams, reads, sortedPage, window } from './common.ts'

const read = reads('Blockchain data')

export const messages = {
  'v3.messages': method({
    ...read,
    weightOfProof: 1,
    page: { rows: 'messages', max: 1000 },
    summary: 'Messages by hash, body, parties, opcode or time, newest first.',
    examples: [
      { title: 'the newest', params: { limit: 3 } },
      { title: 'from outside', params: { source: 'null', limit: 3 } },
    ],
    params: provenListParams(
      {
        msg_hash: hashes('Only messages with these hashes; of external ones the normalized hash is accepted too.').optional(),
        hash: v3Hash('The old name of `msg_hash`; one hash.').optional(),
        body_hash: v3Hash('Only messages whose body has this hash.').optional(),
        source: addressOrNone('Only messages from this account; `null` for incoming external messages.').optional(),
        destination: addressOrNone('Only messages to this account; `null` for outgoing external messages.').optional(),
        opcode: opcode('Only messages of this opcode, the first 32 bits of their bodies.').optional(),
        ...window,
        direction: direction('Only messages that a transaction received (in) or sent (out).').optional(),
        exclude_externals: v3Bool('Leaves messages from outside and to the outside out.').optional(),
        only_externals: v3Bool('Only messages from outside or to the outside.').optional(),
        ...sortedPage,
      },
      notBoth('msg_hash', 'hash', 'cannot use both legacy and new message hashes'),
    ),
    result: v3Messages,
  }),
}
