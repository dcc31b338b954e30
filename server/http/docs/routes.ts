import { TonError } from '../../../shared/errors.ts'
import { VERSION } from '../../base/version.ts'
import { chargeUndispatched } from '../../dispatch/charge.ts'
import { sendJson } from '../answer-forms.ts'
import type { Context, Middleware } from '../context.ts'
import type { ServedNetwork } from '../networks.ts'
import type { Parts } from '../parts.ts'
import { openBuiltPage } from './built-page.ts'
import type { Documents } from './documents.ts'
import { ENDPOINTS } from './other-paths.ts'
import { createDocumentSender } from './send-document.ts'

/** Serves `/` to clients that do not get the page: all except browsers, or all if the page is not built or is off. */
const rootList = (ctx: Context): void => {
  const endpoints = ENDPOINTS.map(([verbs, path, what]) => ({ verbs, path, what }))
  sendJson(ctx, 200, JSON.stringify({ ok: true, result: { name: 'tonway', version: VERSION, endpoints } }))
}

/** The network prefix of the requested path (`/testnet`); '' without a prefix. */
const baseOf = ({ originalUrl, url }: Context): string => originalUrl.slice(0, originalUrl.length - url.length)
const wantsHtml = (ctx: Context): boolean => ctx.accepts('json', 'html') === 'html'

export const createDocumentRoutes = (deps: Pick<Parts, 'networks' | 'page'>) => {
  const served = new Map(deps.networks.map((network) => [network.name, network]))
  const networkOf = (ctx: Context): ServedNetwork => served.get(ctx.state.call.network)!
  const send = createDocumentSender()
  const page = deps.page === false ? undefined : openBuiltPage(send)
  const sendDocument =
    (kind: keyof Documents, type = 'json') =>
    async (ctx: Context): Promise<void> => {
      await chargeUndispatched(ctx.state.call)
      const documents = await networkOf(ctx).documents()
      await send(ctx, { type, text: await documents[kind](baseOf(ctx)) })
    }
  const pageFile: Middleware = async (ctx, next) => {
    const [, name = ''] = /^\/page\/(.*)$/.exec(ctx.path) ?? []
    if (!(await page?.file(ctx, name))) await next()
  }
  return {
    described: [
      [['/openapi.json', '/api/v2/openapi.json'], sendDocument('openapi')],
      [['/openrpc.json'], sendDocument('openrpc')],
      [['/asyncapi.json'], sendDocument('asyncapi')],
      [['/llms.txt'], sendDocument('llms', 'txt')],
    ] as const,
    pageFile,
    /** Browsers get the page, which lists the methods. All other clients get the OpenAPI document, as browsers do if the page is off. */
    docs(ctx: Context): Promise<void> | void {
      ctx.vary('Accept')
      return page && wantsHtml(ctx) ? page.index(ctx) : ctx.redirect(`${baseOf(ctx)}/openapi.json`)
    },
    toDocs: (ctx: Context): void => ctx.redirect(`${baseOf(ctx)}/docs`),
    root(ctx: Context): Promise<void> | void {
      ctx.vary('Accept')
      if (page === undefined || !wantsHtml(ctx)) return rootList(ctx)
      // At `/testnet` without a final slash, relative links of the page would lead outside the prefix. So the browser is redirected to the path with the
      // slash.
      const path = ctx.originalUrl.split('?', 1)[0]!
      return path.endsWith('/') ? page.index(ctx) : ctx.redirect(`${path.slice(path.lastIndexOf('/') + 1)}/${ctx.search}`)
    },
    /** TON global config (JSON) with the lite-server of the embedded chain, for lite-server clients. */
    async globalConfig(ctx: Context): Promise<void> {
      await chargeUndispatched(ctx.state.call)
      const text = await networkOf(ctx).globalConfig(ctx.hostname, ctx.state.call.signal)
      if (text === undefined)
        throw new TonError('NOT_FOUND', 'the lite-server protocol is off; --liteserver-port turns it on (in a program liteserverPort)')
      sendJson(ctx, 200, text)
    },
  }
}
