import type { IncomingHttpHeaders } from 'node:http'

/** The fields of a request that identify its sender. */
export interface RequestSource {
  readonly headers: IncomingHttpHeaders
  readonly url?: string | undefined
  readonly socket: { readonly remoteAddress?: string | undefined }
}
