import { createHash } from 'node:crypto'
import type { Result } from '../../shared/registry.ts'
import type { Dispatch } from '../dispatch/types.ts'
import { sendBody, sendError } from './answer-forms.ts'
import type { Context } from './context.ts'

/* `/picture/<account>`: the answer of token.picture as an image, for `img` elements. It costs as much as a call of token.picture. */

/**
 * Browsers cache a picture for an hour. The policy of content blocks scripts in a picture that is opened directly, such as an SVG; the policy of resources lets
 * pages show it that show no other foreign pictures (COEP).
 */
const HEADERS = {
  'Cache-Control': 'private, max-age=3600',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Returns whether If-None-Match contains a tag: alone, in a list, as `*`, or marked as weak by a proxy that compressed the response (RFC 9110 13.1.2). */
const matchesTag = (given: string, tag: string): boolean => given.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()))

export const createPictures =
  (dispatch: Dispatch) =>
  async (ctx: Context & { readonly params: Readonly<Record<string, string>> }): Promise<void> => {
    const outcome = await dispatch('token.picture', { address: ctx.params['account'] }, ctx.state.call, 'query')
    if (!outcome.ok) return sendError(ctx, outcome.error)
    const { type, data } = JSON.parse(outcome.json) as Result<'token.picture'>
    const bytes = Buffer.from(data, 'base64')
    const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    ctx.set({ ...HEADERS, ETag: tag })
    ctx.vary('X-API-Key')
    // ctx.fresh is not used: Node's fetch adds `Cache-Control: no-cache` to every conditional request, and ctx.fresh then returns false.
    if (matchesTag(ctx.get('If-None-Match'), tag)) ctx.status = 304
    else sendBody(ctx, 200, type, bytes)
  }
