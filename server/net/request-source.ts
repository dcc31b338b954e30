import type { IncomingHttpHeaders } from 'node:http'

/** The part of a request that shows who sent it: an IncomingMessage, or the caller in this process (http/rpc/in-process.ts). */
export interface RequestSource {
  readonly headers: IncomingHttpHeaders
  readonly url?: string | undefined
  readonly socket: { readonly remoteAddress?: string | undefined }
}
