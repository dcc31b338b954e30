import type { IncomingHttpHeaders } from 'node:http'

/** The part of a request that tells who sent it: an IncomingMessage, or the caller in this process (http/rpc/inside.ts). */
export interface RequestSource {
  readonly headers: IncomingHttpHeaders
  readonly url?: string | undefined
  readonly socket: { readonly remoteAddress?: string | undefined }
}
