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

/** Creates the error of a request without a route. Under /api/ it suggests a similar path. */
export const createNotFound = (paths: readonly string[]): ((ctx: Context) => TonError) => {
  const guess = rateLimited(createGuess(paths))
  return (ctx) => {
    const { path, method, state } = ctx
    const { form } = state
    const verbs = [...new Set(otherVerbs(ctx))].sort().join(', ')
    if (verbs !== '') return new TonError('METHOD_NOT_ALLOWED', `unsupported http method: ${method}`, { headers: { Allow: verbs } })
    const meant = path.startsWith('/api/') ? asQuestion(guess(path)) : unservedNetwork(path)
    return new TonError('NOT_FOUND', `${form === 'v3' ? 'not found' : 'Not Found'}${meant}`)
  }
}
