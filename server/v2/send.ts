import { TonError } from '../../shared/errors.ts'
import type { send as methods } from '../../shared/v2/send.ts'
import type { Handlers } from '../base/call.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import type { Chain } from '../chain/types.ts'
import { loadMessage, normalizedHash } from '../tlb/message/message.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { feeEstimator } from './estimate.ts'
import { base64 } from './records.ts'

/** The hash of an external message in normal form (TEP-467). Throws CHAIN with tonlib's texts if it is not an external message. */
const hashNorm = (root: Cell): Uint8Array => {
  try {
    const message = loadMessage(root)
    if (message.info.type === 'external-in') return normalizedHash(message)
  } catch (error) {
    if (error instanceof CellError) throw new TonError('CHAIN', 'Failed to unpack Message', { cause: error })
    throw error
  }
  throw new TonError('CHAIN', 'CommonMsgInfo tag is not ext_in_msg_info')
}

const readBoc = (boc: Uint8Array): Cell => {
  try {
    return parseBocRoot(boc)
  } catch (error) {
    if (error instanceof CellError) throw new TonError('CHAIN', `INVALID_BAG_OF_CELLS: body: ${error.message}`, { cause: error })
    throw error
  }
}

/** Sending of external messages. Only valid external messages leave the process. */
export const sendHandlers = ({ chain, tvm }: { readonly chain: Chain; readonly tvm: Tvm }): Pick<Handlers, keyof typeof methods> => {
  const estimate = feeEstimator({ chain, tvm })
  const send = async (boc: Uint8Array, signal: AbortSignal) => {
    const root = readBoc(boc)
    const hash_norm = base64(hashNorm(root))
    await chain.sendMessage(boc, signal)
    return { '@type': 'raw.extMessageInfo', hash: base64(root.hash()), hash_norm } as const
  }
  return {
    async sendBoc({ boc }, { signal }) {
      await send(boc, signal)
      return { '@type': 'ok' }
    },

    async sendBocReturnHash({ boc }, { signal }) {
      return await send(boc, signal)
    },

    async sendBocReturnHashNoError({ boc }, { signal }) {
      try {
        return await send(boc, signal)
      } catch (error) {
        if (error instanceof TonError && error.kind === 'CHAIN') throw new TonError('CHAIN_400', error.message, { cause: error })
        throw error
      }
    },

    async estimateFee(params, { signal }) {
      return { '@type': 'query.fees', source_fees: { '@type': 'fees', ...(await estimate(params, signal)) }, destination_fees: [] }
    },
  }
}
