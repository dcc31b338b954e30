import { placed, VerifyError } from './error.ts'
import { type BlockId, blockText, masterBlock, membersOf, sameBlock, type TrustedBlock, trustedBlock } from './ids.ts'
import { followLinks, type Reached } from './links.ts'

/** What a light client has reached, as JSON: to be saved, and given to the next one as `trusted`. */
export interface LightClientState {
  /** The newest key block (or the zerostate), which names the validators of the blocks after it. */
  readonly key: TrustedBlock
  readonly head: TrustedBlock
}

/** Parameters of `v3.blockProof`. */
export interface BlockProofParams extends TrustedBlock {
  readonly to_seqno?: number
}

export interface LightClientOptions {
  /** Calls the server: `client.request`. */
  readonly call: (
    method: 'v3.blockProof',
    params: BlockProofParams,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<unknown>
  /** A key block or the zerostate that you trust, such as `init_block` of a network's configuration, or the saved state of an earlier light client. */
  readonly trusted: TrustedBlock | LightClientState
}

/** Follows the masterchain by signatures of its validators. It believes no server. */
export interface LightClient {
  /** Checks key block after key block up to the newest block, and returns it. What was reached before an error stays. */
  catchUp(signal?: AbortSignal): Promise<TrustedBlock>
  /** Rejects with VerifyError unless the block belongs to the masterchain. The block may be older or newer than the newest block that was checked. */
  trust(block: TrustedBlock, signal?: AbortSignal): Promise<void>
  state(): LightClientState
}

/** Maximum number of answers for one proof. An answer has up to 16 links, and ten years have about ten thousand key blocks. */
const MAX_ANSWERS = 4096

export const createLightClient = ({ call, trusted }: LightClientOptions): LightClient => {
  const [first, last] = 'key' in trusted ? [trusted.key, trusted.head] : [trusted, trusted]
  let key = masterBlock(first)
  let head = masterBlock(last)
  /** The block that was verified last, so that a second request for it needs no proof. */
  let verified = head

  const reach = ({ id, header }: Reached): void => {
    if (header?.isKey && id.seqno > key.seqno) key = id
    if (id.seqno > head.seqno) head = id
  }

  /** Follows the server's links from a trusted block, to a block or to the newest one. */
  const follow = async (from: BlockId, to: BlockId | undefined, signal: AbortSignal | undefined): Promise<BlockId> => {
    let at = from
    for (let i = 0; i < MAX_ANSWERS; i++) {
      signal?.throwIfAborted()
      const start = trustedBlock(at)
      const answer = await call('v3.blockProof', to === undefined ? start : { ...start, to_seqno: to.seqno }, { signal })
      try {
        const { complete, steps } = membersOf(answer)
        const next = await followLinks(steps, at, i === 0, reach).catch((error) => {
          throw placed('steps', error)
        })
        if (to === undefined ? complete === true : next.seqno === to.seqno) return next
        if (sameBlock(next, at)) throw new VerifyError('steps', `the links end at ${blockText(at)}`)
        at = next
      } catch (error) {
        throw placed('', error)
      }
    }
    throw new VerifyError('steps', 'the links do not come to an end')
  }

  return {
    async catchUp(signal) {
      await follow(key, undefined, signal)
      return trustedBlock(head)
    },
    async trust(block, signal) {
      const id = masterBlock(block)
      if (sameBlock(id, head) || sameBlock(id, verified) || sameBlock(id, key)) return
      // Forward links begin at key blocks. A link back begins at any block.
      const from = id.seqno > key.seqno ? key : head
      const found = id.seqno === head.seqno ? head : await follow(from, id, signal)
      if (!sameBlock(found, id)) throw new VerifyError('', `${blockText(id)} is not a block of the chain, ${blockText(found)} is`)
      verified = id
    },
    state: () => ({ key: trustedBlock(key), head: trustedBlock(head) }),
  }
}
