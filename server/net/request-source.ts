import type { IncomingHttpHeaders } from 'node:http'

/** The fields of a request that identify its sender: an IncomingMessage, or the caller in this process (http/rpc/in-process.ts). */
export interface RequestSource {
  readonly headers: IncomingHttpHeaders
  readonly url?: string | undefined
  readonly socket: { readonly remoteAddress?: string | undefined }
}
