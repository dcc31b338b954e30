import type { ServerResponse } from 'node:http'
import type { PieceWriter } from '../../base/call.ts'
import type { Outcome } from '../../dispatch/types.ts'
import type { Exchange } from '../exchange.ts'
import { sendRest } from './long.ts'
import { sendJson } from './send.ts'

/**
 * Lets a large answer be written while it is being made. Not for HEAD, whose answer states the length. Not for HTTP/1.0 either: there the end of
 * the connection ends the answer, so a truncated answer looks complete.
 */
export const takePieces = (ctx: Exchange): void => {
  if (ctx.method !== 'HEAD' && ctx.req.httpVersion === '1.1') ctx.state.call.writer = writerOf(ctx.res)
}

const writerOf = (res: ServerResponse): PieceWriter => ({
  ready: () => (res.socket === null ? new Promise<void>((resolve) => res.once('socket', () => resolve())) : undefined),
})

/** Text that the endpoint writes around the JSON of an answer. `after` is called when all of the JSON is there. */
export interface Around {
  readonly before: string
  readonly after: () => string
}

/** Answers 200 with the JSON of an outcome, at once or while it is being made. */
export const sendPieces = (ctx: Exchange, outcome: Outcome & { readonly ok: true }, { before, after }: Around): Promise<void> | void => {
  if (outcome.rest === undefined) return sendJson(ctx, 200, before + outcome.json + after())
  return sendRest(ctx, before + outcome.json, outcome.rest, after)
}
