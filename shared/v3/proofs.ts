import * as z from 'zod'
import { v3Hash } from '../fields/v3/addresses-and-hashes.ts'
import { v3Int } from '../fields/v3/numbers.ts'
import { method } from '../method.ts'
import { v3BlockProof } from '../models/v3/proofs.ts'
import { HASH } from '../samples.ts'
import { reads } from './common.ts'

export const proofs = {
  'v3.blockProof': method({
    ...reads('Blockchain data'),
    needs: 'chain',
    weight: 2,
    cache: 'never',
    summary:
      'Proof that a masterchain block follows from one that the caller knows, by key blocks and signatures: as many links as one answer has.',
    examples: [{ title: 'from an unknown block', params: { seqno: 1, root_hash: HASH, file_hash: HASH }, fails: 'CHAIN' }],
    params: z.object({
      seqno: v3Int('The number of the masterchain block that the caller knows; 0 for the zerostate.'),
      root_hash: v3Hash('The root hash of that block.'),
      file_hash: v3Hash('The file hash of that block.'),
      to_seqno: v3Int('The number of the masterchain block to prove; the newest by default.').optional(),
    }),
    result: v3BlockProof,
  }),
}
