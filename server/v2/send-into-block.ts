import { TonError } from '../../shared/errors.ts'
import { joinAbort } from '../base/abort.ts'
import { awaitedLater } from '../base/promises/awaited-later.ts'
import type { Cell } from '../cell/cell.ts'
import type { LocalControl } from '../chain/local/local-chain.ts'

/** Milliseconds that a sender waits for a block. Must be less than the deadline of a call. */
const MAX_WAIT_MS = 8_000

const tooLate = (): TonError =>
  new TonError('SOURCE_TIMEOUT', `the message was accepted, but is in no block after ${MAX_WAIT_MS / 1000} seconds; it still waits for one`)

/**
 * Sends an external message to an embedded chain. Resolves when a block contains it and the messages that it caused are delivered; if automine is off, when
 * the message is accepted. MAX_WAIT_MS limits both waits together, because a contract may send messages to itself endlessly.
 */
export const sendIntoBlock = async (
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
