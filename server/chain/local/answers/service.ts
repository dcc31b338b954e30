import { loadShardState } from '../../../tlb/state/shard-state.ts'
import { LiteServerError } from '../../liteserver.ts'
import { type Answers, type AnswersDeps, refuse, stateOf } from './find-or-refuse.ts'

/** Version and capabilities of ton's lite-server (ls_version, ls_capabilities). */
const VERSION = 0x101
const CAPABILITIES = 15n

export const serviceAnswers = ({
  store,
  sendMessage,
  clock,
}: AnswersDeps): Answers<'getTime' | 'getVersion' | 'getMasterchainInfo' | 'getMasterchainInfoExt' | 'sendMessage'> => ({
  async getTime() {
    return { now: clock.now() }
  },

  async getVersion() {
    return { mode: 0, version: VERSION, capabilities: CAPABILITIES, now: clock.now() }
  },

  async getMasterchainInfo() {
    const last = store.head().id
    return { last, stateRootHash: (await stateOf(store, last)).hash(), init: store.zeroState }
  },

  async getMasterchainInfoExt({ mode }) {
    // Bit 1 requests the state of the shard client. That state is the head's state here, because shard and masterchain blocks are stored together.
    if (mode & 0x7fffffff & ~1) throw refuse('unsupported getMasterchainInfo mode')
    const last = store.head().id
    const state = await stateOf(store, last)
    return {
      mode,
      version: VERSION,
      capabilities: CAPABILITIES,
      last,
      lastUtime: loadShardState(state).genUtime,
      now: clock.now(),
      stateRootHash: state.hash(),
      init: store.zeroState,
    }
  },

  async sendMessage({ body }, signal) {
    try {
      await sendMessage(body, signal)
    } catch (error) {
      if (error instanceof LiteServerError || signal.aborted || !(error instanceof Error)) throw error
      // The check failed without a refusal by the account, so there is no error code of TON.
      throw new LiteServerError(0, `cannot apply external message to current state : ${error.message}`)
    }
    return { status: 1 }
  },
})
