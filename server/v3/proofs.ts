import type { proofs } from '../../shared/v3/proofs.ts'
import type { Handlers } from '../base/call.ts'
import type { Chain } from '../chain/chain-port.ts'
import { MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../tlb/ids.ts'
import { writeBlockProof } from './proofs/wire.ts'

export const proofHandlers = ({ chain }: { readonly chain: Pick<Chain, 'pin' | 'blockProof'> }): Pick<Handlers, keyof typeof proofs> => ({
  async 'v3.blockProof'({ seqno, root_hash, file_hash, to_seqno }, { signal }) {
    const from = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash: root_hash, fileHash: file_hash }
    const to = to_seqno === seqno ? from : await chain.pin(to_seqno, signal)
    return writeBlockProof(sameBlock(from, to) ? { complete: true, from, to, steps: [] } : await chain.blockProof(from, to, signal))
  },
})
