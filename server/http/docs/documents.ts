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
 * API documents of a network. They are generated from the registry on first use, which takes some hundred milliseconds and yields to the event loop. `base`
 * is the network's URL prefix (`/testnet`), '' by default.
 */
export interface Documents {
  /** OpenAPI 3.1 of the REST interface, as JSON text. Its paths begin with `base`. */
  readonly openapi: (base?: string) => Promise<string>
  /** OpenRPC of the same methods, as JSON text; also the answer of `rpc.discover`. The server URL is the origin followed by `base`. */
  readonly openrpc: (base?: string) => Promise<string>
  readonly asyncapi: (base?: string) => Promise<string>
  readonly llms: (base?: string) => Promise<string>
}

export const createDocuments = ({ served, version, origin = () => '' }: DocumentsDeps): Documents => {
  const methods = served.flatMap((name) => resolve(name) ?? [])
  const openapi = once(async () => JSON.stringify(await buildOpenApi(methods, version)))
  const openrpc = once(() => buildOpenRpc(methods, version))
  const openrpcUnder = async (base: string): Promise<string> => {
    const { servers, ...document } = await openrpc()
    return asciiJson({ ...document, servers: servers.map((server) => ({ ...server, url: origin() + base + server.url })) })
  }
  const openrpcText = once(() => openrpcUnder(''))
  const here = JSON.stringify({ servers: [{ url: '/' }] }).slice(1, -1)
  return {
    async openapi(base = '') {
      const text = await openapi()
      return base === ''
        ? text
        : text.replace(
            here,
            here.replace('/', () => base),
          )
    },
    openrpc: (base = '') => (base === '' ? openrpcText() : openrpcUnder(base)),
    asyncapi: async (base = '') => asciiJson(buildAsyncApi(version, (origin() || UNKNOWN_ORIGIN) + base, served.includes('subscribe'))),
    llms: async (base = '') => buildLlmsText(methods, origin() + base),
  }
}

const UNKNOWN_ORIGIN = 'http://localhost'

/** JSON text with escaped non-ASCII characters. V8 stores an ASCII string in half the memory, and joins the answers of a batch much faster. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
