/* What the names of methods mean on the wire of TON Center's interfaces. Written from their documents, not from the registry. */

/** Methods that only JSON-RPC has, by the beginning of their names. */
const RPC_ALONE = ['local.', 'rpc.', 'token.', 'trace.', 'subscribe', 'unsubscribe']
const POST_ALONE = ['runGetMethod', 'runGetMethodStd', 'sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError', 'estimateFee']
const V3_POST = ['v3.message', 'v3.estimateFee', 'v3.runGetMethod', 'v4.sendMessage', 'hooks.create', 'hooks.delete', 'hooks.test']

/** Paths of v4, the longest last. */
const V4: Readonly<Record<string, readonly string[]>> = {
  'v4.getLastBlock': ['/block/latest'],
  'v4.getBlock': ['/block/{seqno}'],
  'v4.getBlockByUtime': ['/block/utime/{utime}'],
  'v4.getAccount': ['/block/{seqno}/{address}'],
  'v4.getAccountLite': ['/block/{seqno}/{address}/lite'],
  'v4.isAccountChanged': ['/block/{seqno}/{address}/changed/{lt}'],
  'v4.runMethod': ['/block/{seqno}/{address}/run/{method}', '/block/{seqno}/{address}/run/{method}/{args}'],
  'v4.getConfig': ['/block/{seqno}/config', '/block/{seqno}/config/{ids}'],
  'v4.getAccountTransactions': ['/account/{address}/tx/{lt}/{hash}'],
  'v4.getAccountTransactionsParsed': ['/account/{address}/tx/parsed/{lt}/{hash}'],
  'v4.sendMessage': ['/send'],
}

const paramsIn = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** Path of a call with the parameters that stand in it, and those that do not. Undefined if a path needs more than there are, or if there is no path. */
export const callPath = (method: string, params: object): { readonly path: string; readonly others: object } | undefined => {
  const own = V4[method]?.map((path) => `/api/v4${path}`)
  const path = own === undefined ? pathOf(method) : own.findLast((each) => paramsIn(each).every((name) => name in params))
  if (path === undefined) return undefined
  const values = params as Readonly<Record<string, unknown>>
  const inPath = paramsIn(path)
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name]))),
    others: Object.fromEntries(Object.entries(params).filter(([name]) => !inPath.includes(name))),
  }
}

/** Path of a method as REST, with parameters in braces; undefined if it has none. */
export const pathOf = (method: string): string | undefined => {
  const last = V4[method]?.at(-1)
  if (last !== undefined) return `/api/v4${last}`
  if (RPC_ALONE.some((start) => method.startsWith(start))) return undefined
  if (method.startsWith('v3.')) return `/api/${method.replaceAll('.', '/')}`
  if (method.startsWith('hooks.')) return `/api/v3/${method.replace('.', '/')}`
  if (method === 'emulate.trace') return '/api/emulate/v1/emulateTrace'
  if (method === 'emulate.tonConnect') return '/api/emulate/v1/emulateTonConnect'
  if (method === 'emulate.bundle') return '/api/emulate/v1/emulateBundle'
  return `/api/v2/${method}`
}

/** HTTP methods of a method's path. */
export const verbsOf = (method: string): readonly ('GET' | 'POST')[] => {
  if (pathOf(method) === undefined) return []
  if (method.startsWith('emulate.') || POST_ALONE.includes(method) || V3_POST.includes(method)) return ['POST']
  if (method === 'v3.decode') return ['GET', 'POST']
  return isBare(method) ? ['GET'] : ['GET', 'POST']
}

const isBare = (method: string): boolean => method.startsWith('v3.') || method.startsWith('v4.') || method.startsWith('hooks.')

/** Whether its REST answers have TON Center's envelope (`ok`, `result`, `error`, `code`); those of v3, v4 and the emulation are the result itself. */
export const hasEnvelope = (method: string): boolean => !isBare(method) && !method.startsWith('emulate.')
