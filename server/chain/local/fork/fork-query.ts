import { Fault } from '../../../base/fault.ts'
import { outwardNetwork } from '../../../config/global-config-text.ts'
import { LITE_ERROR, type LiteArgs, type LiteFunction, type LiteServer, LiteServerError } from '../../liteserver.ts'
import { refuse } from '../answers/find-or-refuse.ts'
import type { Fork, ForkMark } from './fork.ts'

/* Lite-server queries on a fork. Missing cells are fetched, and data from before the fork come from the forked network. */

/** Queries for a block by its full id. The client checks the answer against that id, so the forked network may answer. */
const BY_BLOCK: ReadonlySet<LiteFunction> = new Set([
  'getBlock',
  'getBlockHeader',
  'getOneTransaction',
  'listBlockTransactions',
  'listBlockTransactionsExt',
])

const TOO_LARGE = 'cannot request total state: most of a fork was not fetched'

export const createForkQuery =
  (query: LiteServer['query'], fork: Pick<Fork, 'opening' | 'source'>, { endLt, network }: ForkMark): LiteServer['query'] =>
  async (fn, args, signal) => {
    const elsewhere = async () => {
      const source = await fork.source().catch((error: unknown) => {
        if (error instanceof Fault) throw error
        const text = `what is older than this fork cannot be read from ${outwardNetwork(network)}: ${(error as Error).message}`
        throw new LiteServerError(LITE_ERROR.notReady, text)
      })
      return source.query(fn, args, signal)
    }
    // Older transactions come from the forked network without a check here. The client can check them, because each transaction contains the hash of the
    // previous transaction, and the state proves the newest.
    if (fn === 'getTransactions' && (args as LiteArgs<'getTransactions'>).lt <= BigInt(endLt)) return elsewhere()
    if (fn === 'getState' && (args as LiteArgs<'getState'>).id.seqno > 0) throw refuse(TOO_LARGE)
    try {
      return await fork.opening(() => query(fn, args, signal), signal)
    } catch (error) {
      if (!BY_BLOCK.has(fn) || !(error instanceof LiteServerError)) throw error
      signal.throwIfAborted()
      return elsewhere().catch(() => {
        throw error
      })
    }
  }
