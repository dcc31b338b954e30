import { createHash } from 'node:crypto'
import type { Result } from '../../shared/registry.ts'
import type { Dispatch } from '../dispatch/types.ts'
import { sendBytes, sendError } from './answer/send.ts'
import type { Context } from './context.ts'

/* `/picture/<account>`: the answer of token.picture as a picture, so that an `img` can show it. It is counted as that call is. */

/** Browsers cache a picture for an hour. The policy keeps a picture that is opened directly from running anything. */
const HEADERS = { 'Cache-Control': 'private, max-age=3600', 'Content-Security-Policy': "default-src 'none'; sandbox", Vary: 'X-API-Key' }

/** Sends the picture of an account; 304 if the caller has it already. */
export const createPictures =
  (dispatch: Dispatch) =>
  async (ctx: Context, account: string): Promise<void> => {
    const outcome = await dispatch('token.picture', { address: account }, ctx.state.call, 'query')
    if (!outcome.ok) return sendError(ctx, outcome.error)
    const { type, data } = JSON.parse(outcome.json) as Result<'token.picture'>
    const bytes = Buffer.from(data, 'base64')
    const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const headers = { ...HEADERS, ETag: tag }
    if (ctx.req.headers['if-none-match'] !== tag) return sendBytes(ctx, 200, bytes, type, headers)
    ctx.set(headers)
    ctx.status = 304
  }
