import { TonError } from '../../shared/errors.ts'
import type { send as methods } from '../../shared/v2/send.ts'
import { joinAbort } from '../base/abort.ts'
import type { Call, Handlers } from '../base/call.ts'
import { takeOneOf } from '../base/limits/take-emulation-or-send.ts'
import { awaitedLater } from '../base/promises/awaited-later.ts'
import { parseBocRootOr } from '../cell/boc.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import type { Chain } from '../chain/chain-port.ts'
import type { LocalControl } from '../chain/local/local-chain.ts'
import { accountIdOf } from '../tlb/address.ts'
import { toHex } from '../tlb/bytes.ts'
import { loadMessage, normalizedHash } from '../tlb/message/message.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { feeEstimator } from './estimate.ts'
import { base64 } from './wire.ts'

/** Reads the normalized hash (TEP-467) and the receiver of an external message. Throws CHAIN with tonlib's texts if the cell is not an external message. */
const readExternal = (root: Cell): { readonly hashNorm: Uint8Array; readonly to: string } => {
  try {
    const message = loadMessage(root)
    const { info } = message
    if (info.type === 'external-in')
      return { hashNorm: normalizedHash(message), to: `${info.dest.workchain}:${toHex(accountIdOf(info.dest) ?? new Uint8Array())}` }
  } catch (error) {
    if (error instanceof CellError)
      throw new TonError('CHAIN', `Failed to unpack Message: boc is not a message (${error.message})`, { cause: error })
    throw error
  }
  throw new TonError('CHAIN', 'CommonMsgInfo tag is not ext_in_msg_info')
}

const readBoc = (boc: Uint8Array): Cell =>
  parseBocRootOr(boc, (error) => new TonError('CHAIN', `INVALID_BAG_OF_CELLS: body: ${error.message}`, { cause: error }))

/** Milliseconds that a sender waits for a block. Must be less than the deadline of a call. */
const MAX_WAIT_MS = 8_000

const tooLate = (): TonError =>
  new TonError('SOURCE_TIMEOUT', `the message was accepted, but is in no block after ${MAX_WAIT_MS / 1000} seconds; it still waits for one`)

/**
 * Sends an external message to an embedded chain. Resolves when a block contains it and the messages that it caused are delivered; if automine is off, when
 * the message is accepted. MAX_WAIT_MS limits both waits together, because a contract may send messages to itself endlessly.
 */
const sendIntoBlock = async (
  send: (signal: AbortSignal) => Promise<void>,
  control: Pick<LocalControl, 'arrival' | 'idleOrBusyTooLong'>,
  message: Cell,
  caller: AbortSignal,
): Promise<void> => {
  const { signal, abort, release: leave } = joinAbort(caller)
  const timer = setTimeout(() => abort(tooLate()), MAX_WAIT_MS)
  const arrival = awaitedLater(control.arrival(message.hashKey(), signal))
  try {
    await send(caller)
    await arrival
    await control.idleOrBusyTooLong(signal).catch((error: unknown) => {
      if (!signal.aborted || caller.aborted) throw error
    })
  } finally {
    clearTimeout(timer)
    leave()
    abort()
  }
}

export interface SendDeps {
  readonly chain: Chain
  readonly tvm: Tvm
  /** Set for an embedded chain: `arrival` resolves when a block contains a message. */
  readonly control?: Pick<LocalControl, 'arrival' | 'idleOrBusyTooLong'> | undefined
}

export const sendHandlers = ({ chain, tvm, control }: SendDeps): Pick<Handlers, keyof typeof methods> => {
  const estimate = feeEstimator({ chain, tvm })
  const send = async (boc: Uint8Array, call: Call) => {
    const root = readBoc(boc)
    const { hashNorm, to } = readExternal(root)
    await takeOneOf(call.caller, 'sends', to)
    const sent = (signal: AbortSignal): Promise<void> => chain.sendMessage(boc, signal)
    if (control !== undefined && call.waitsForBlock) await sendIntoBlock(sent, control, root, call.signal)
    else await sent(call.signal)
    return { '@type': 'raw.extMessageInfo', hash: base64(root.hash()), hash_norm: base64(hashNorm) } as const
  }
  return {
    async sendBoc({ boc }, call) {
      await send(boc, call)
      return { '@type': 'ok' }
    },

    async sendBocReturnHash({ boc }, call) {
      return await send(boc, call)
    },

    async sendBocReturnHashNoError({ boc }, call) {
      try {
        return await send(boc, call)
      } catch (error) {
        if (error instanceof TonError && error.kind === 'CHAIN') throw new TonError('CHAIN_400', error.message, { cause: error })
        throw error
      }
    },

    async estimateFee(params, call) {
      return { '@type': 'query.fees', source_fees: { '@type': 'fees', ...(await estimate(params, call)) }, destination_fees: [] }
    },
  }
}
