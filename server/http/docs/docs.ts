import { type MethodName, resolve } from '../../../shared/registry.ts'
import { buildAsyncApi } from './asyncapi.ts'
import { buildLlmsText } from './llms.ts'
import { buildOpenApi } from './openapi.ts'
import { buildOpenRpc } from './openrpc.ts'

export interface DocumentsDeps {
  /** Names of the methods that this server answers; the others are left out. */
  readonly served: readonly MethodName[]
  /** Version of the v2 interface. */
  readonly version: string
  /** Public origin of the service (`https://ton.example.com`); '' while it is unknown. */
  readonly origin?: () => string
}

/** The documents of a network, made from the registry on first use, with pauses: that takes some hundred milliseconds. */
export interface Documents {
  /** OpenAPI 3.1 of the REST mirror, as JSON text; its paths are under `base` (`/testnet`; '' by default). */
  readonly openapi: (base?: string) => Promise<string>
  /** OpenRPC of the same methods, as JSON text; the answer of `rpc.discover`. The server URL is the origin, then `base`. */
  readonly openrpc: (base?: string) => Promise<string>
  /** AsyncAPI 3 of the events, as JSON text. */
  readonly asyncapi: (base?: string) => Promise<string>
  /** The text of /llms.txt. */
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

/** The address in documents of a service that does not listen yet. */
const UNKNOWN_ORIGIN = 'http://localhost'

/** JSON text with escapes for non-ASCII characters. An ASCII text takes half the memory, and a batch of many is joined much faster. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
