import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import { blockFullText, sameBlock, sameBytes } from '../tlb/block-id.ts'
import { configVersion } from '../tlb/config/general.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { KeptAccount } from './account-states.ts'
import type { Ask } from './ask.ts'
import type { BlockConfig } from './configs.ts'
import { must, proving } from './proofs/error.ts'
import { proofRoot } from './proofs/roots.ts'
import type { Chain } from './types.ts'

/** Bits of runSmcMethod's mode: proofs, the state's proof, the result. */
const MODE = 1 | 2 | 4
const WHAT = 'get-method'
/** What a lite-server says of an account without code. */
const NO_CODE = -0x100

export interface ServerMethodsDeps {
  readonly ask: Ask
  readonly pin: (at: number | BlockId | undefined, signal: AbortSignal) => Promise<BlockId>
  readonly accountAt: (id: AccountId, block: BlockId, signal: AbortSignal) => Promise<KeptAccount>
  readonly configAt: (block: BlockId, signal: AbortSignal) => Promise<BlockConfig>
  /** Get-methods on the TVM of this process, whose version is `tvmVersion`. */
  readonly own: Chain['runGetMethod']
  readonly tvmVersion: number
}

/**
 * Get-methods where the network's TVM may be newer than that of this process: then the lite-server runs them. The state it ran on is checked
 * against the proven one; what the run made of it is the server's word, and the gas used, which it does not tell, is 0.
 */
export const createServerMethods =
  ({ ask, pin, accountAt, configAt, own, tvmVersion }: ServerMethodsDeps): Chain['runGetMethod'] =>
  async (id, methodId, stack, at, signal) => {
    const block = await pin(at, signal)
    const { root } = await configAt(block, signal)
    if (configVersion(root).version <= tvmVersion) return own(id, methodId, stack, block, signal)
    const account = await accountAt(id, block, signal)
    const { state } = account
    const proven = state.account?.root
    // Without code the answer is known, and it is the same.
    if (account.runnable() === undefined || proven === undefined) return own(id, methodId, stack, block, signal)
    const args = { mode: MODE, id: block, account: id, methodId, params: serializeBoc(stack) }
    return ask('runSmcMethod', args, signal, (answer) =>
      proving(WHAT, () => {
        must(sameBlock(answer.id, block), WHAT, () => `an answer for ${blockFullText(answer.id)} instead of ${blockFullText(block)}`)
        must(sameBlock(answer.shardBlock, state.shardBlock), WHAT, 'run in another shard block than the proven one')
        const ranOn = proofRoot(answer.stateProof ?? new Uint8Array(0), WHAT).hash(0)
        must(sameBytes(ranOn, proven.hash()), WHAT, 'run on another state than the proven one')
        must(answer.exitCode !== NO_CODE, WHAT, 'no code, where there is one')
        return { exitCode: answer.exitCode, gasUsed: 0n, stack: parseBocRoot(answer.result ?? new Uint8Array(0)), state }
      }),
    )
  }
