import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Ids that are unique across processes: eight random characters per process, then a counter. */
export const createRequestIds = (): (() => string) => {
  const prefix = `${randomBytes(6).toString('base64url')}-`
  let count = 0
  return () => prefix + (count++).toString(36)
}

const GIVEN = /^[\w.:-]{1,64}$/

/** The caller's X-Request-Id; undefined if there is none or it is not safe in a header and a log line. */
export const givenRequestId = (req: IncomingMessage): string | undefined => {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && GIVEN.test(given) ? given : undefined
}
