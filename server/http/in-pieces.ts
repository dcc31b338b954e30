import type { ServerResponse } from 'node:http'
import type { PieceWriter } from '../base/call.ts'
import type { Outcome } from '../dispatch/types.ts'
import { type Context, sendJson } from './koa.ts'
import { sendRest } from './long.ts'

/**
 * Lets the request's large answer be written while it is made. Not for HEAD, which is told the length, nor for HTTP/1.0, where an answer ends with its
 * connection and one that is cut looks whole.
 */
export const takePieces = (ctx: Context): void => {
  if (ctx.method !== 'HEAD' && ctx.req.httpVersion === '1.1') ctx.state.call.writer = writerOf(ctx.res)
}

const writerOf = (res: ServerResponse): PieceWriter => ({
  ready: () => (res.socket === null ? new Promise<void>((resolve) => res.once('socket', () => resolve())) : undefined),
})

/** Text around the JSON of an answer: what the door writes before it, and what closes it when all of it is there. */
export interface Around {
  readonly before: string
  readonly after: () => string
}

/** Answers 200 with the JSON of an outcome, whole or while it is being made. */
export const sendPieces = (ctx: Context, outcome: Outcome & { readonly ok: true }, { before, after }: Around): Promise<void> | void => {
  if (outcome.rest === undefined) return sendJson(ctx, 200, before + outcome.json + after())
  return sendRest(ctx, before + outcome.json, outcome.rest, after)
}
