import { TonError } from '../../shared/errors.ts'
import { asQuestion, createGuess, rateLimited } from '../base/suggest.ts'
import type { Context } from './context.ts'

/** Error text if the path names a network that is not served; otherwise empty. */
const unservedNetwork = (path: string): string => {
  const name = /^\/(?!api\/)([a-z0-9][a-z0-9_-]{0,31})\/(?:api\/|(?:jsonRPC|mcp)$)/.exec(path)?.[1]
  return name === undefined ? '' : `; this service has no network ${name}`
}

/** Verbs for which the path has a route, without that of the request. Empty if the path has no route. */
const otherVerbs = ({ method, matched = [] }: Context): readonly string[] =>
  (matched as readonly { readonly methods: readonly string[] }[]).flatMap(({ methods }) => (methods.includes(method) ? [] : methods))

/** Error text for a path outside /api/ that exists below /api/v4, as TonClient4 asks for it if its endpoint lacks that prefix; otherwise empty. */
const withoutPrefix = (path: string, paths: ReadonlySet<string>): string => {
  const full = `/api/v4${path}`
  return asQuestion(paths.has(full) ? full : undefined)
}

/** Error text if a REST path that is like no other names a method, such as those of the embedded chain, which only JSON-RPC has; otherwise empty. */
const onlyByRpc = (path: string, methods: Readonly<Record<string, unknown>>): string => {
  const name = /^\/api\/v\d\/([\w.]{1,64})$/.exec(path)?.[1]
  return name !== undefined && Object.hasOwn(methods, name) ? `; ${name} is called by JSON-RPC, at /jsonRPC` : ''
}

/** Creates the error of a request without a route. Under /api/ it suggests a similar path. */
export const createNotFound = (served: readonly string[], methods: Readonly<Record<string, unknown>>): ((ctx: Context) => TonError) => {
  const guess = rateLimited(createGuess(served))
  const paths = new Set(served)
  return (ctx) => {
    const { path, method, state } = ctx
    const { form } = state
    const verbs = [...new Set(otherVerbs(ctx))].sort().join(', ')
    if (verbs !== '') return new TonError('METHOD_NOT_ALLOWED', `unsupported http method: ${method}`, { headers: { Allow: verbs } })
    const meant = path.startsWith('/api/')
      ? asQuestion(guess(path)) || onlyByRpc(path, methods)
      : unservedNetwork(path) || withoutPrefix(path, paths)
    return new TonError('NOT_FOUND', `${form === 'v3' ? 'not found' : 'Not Found'}${meant}`)
  }
}
