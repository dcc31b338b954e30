/* What the names of methods mean on the wire of TON Center's interfaces. Written from their documents, not from the registry. */

/** Methods that only JSON-RPC has, by the beginning of their names. */
const RPC_ALONE = ['local.', 'rpc.', 'token.', 'trace.', 'subscribe', 'unsubscribe']
const POST_ALONE = ['runGetMethod', 'runGetMethodStd', 'sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError', 'estimateFee']
const V3_POST = ['v3.message', 'v3.estimateFee', 'v3.runGetMethod']

/** Path of a method as REST; undefined if it has none. */
export const pathOf = (method: string): string | undefined => {
  if (RPC_ALONE.some((start) => method.startsWith(start))) return undefined
  if (method.startsWith('v3.')) return `/api/${method.replaceAll('.', '/')}`
  if (method === 'emulate.trace') return '/api/emulate/v1/emulateTrace'
  if (method === 'emulate.tonConnect') return '/api/emulate/v1/emulateTonConnect'
  return `/api/v2/${method}`
}

/** HTTP methods of a method's path. */
export const verbsOf = (method: string): readonly ('GET' | 'POST')[] => {
  if (pathOf(method) === undefined) return []
  if (method.startsWith('emulate.') || POST_ALONE.includes(method) || V3_POST.includes(method)) return ['POST']
  if (method === 'v3.decode') return ['GET', 'POST']
  return method.startsWith('v3.') ? ['GET'] : ['GET', 'POST']
}

/** Whether its REST answers have TON Center's envelope (`ok`, `result`, `error`, `code`); those of v3 and of the emulation are the result itself. */
export const hasEnvelope = (method: string): boolean => !method.startsWith('v3.') && !method.startsWith('emulate.')
