import { type MethodName, resolve } from '../../../shared/registry.ts'
import { buildAsyncApi } from './asyncapi.ts'
import { buildLlmsText } from './llms.ts'
import { buildOpenApi } from './openapi.ts'
import { buildOpenRpc } from './openrpc.ts'

export interface DocumentsDeps {
  /** Names of the methods that this server serves. The documents omit methods without a handler here. */
  readonly served: readonly MethodName[]
  readonly version: string
  /** Public origin of the service (`https://ton.example.com`); '' while it is unknown. */
  readonly origin?: () => string
}

/**
 * API documents of a network: OpenAPI 3.1 of the REST interface, OpenRPC of the same methods (also the answer of `rpc.discover`), AsyncAPI of the events, and
 * llms.txt. They are generated from the registry on first use, which takes some hundred milliseconds and yields to the event loop. `base` is the network's
 * URL prefix (`/testnet`), '' by default.
 */
export type Documents = Readonly<Record<'openapi' | 'openrpc' | 'asyncapi' | 'llms', (base?: string) => Promise<string>>>

export const createDocuments = ({ served, version, origin = () => '' }: DocumentsDeps): Documents => {
  const methods = served.flatMap((name) => resolve(name) ?? [])
  return {
    openapi: oncePerBase(async (base) => JSON.stringify(await buildOpenApi(methods, version, base || '/'))),
    openrpc: oncePerBase(async (base) => JSON.stringify(await buildOpenRpc(methods, version, origin() + base))),
    asyncapi: oncePerBase(async (base) =>
      JSON.stringify(buildAsyncApi(version, (origin() || UNKNOWN_ORIGIN) + base, served.includes('subscribe'))),
    ),
    llms: oncePerBase(async (base) => buildLlmsText(methods, origin() + base)),
  }
}

const UNKNOWN_ORIGIN = 'http://localhost'

const oncePerBase = (make: (base: string) => Promise<string>) => {
  const made = new Map<string, Promise<string>>()
  return (base = ''): Promise<string> => {
    const text = made.get(base) ?? make(base)
    made.set(base, text)
    return text
  }
}
