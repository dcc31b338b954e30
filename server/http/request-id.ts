import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Ids no two requests of any process share: eight random characters for the process, then a count. */
export const createRequestIds = (): (() => string) => {
  const prefix = `${randomBytes(6).toString('base64url')}-`
  let count = 0
  return () => prefix + (count++).toString(36)
}

const GIVEN = /^[\w.:-]{1,64}$/

/** The caller's own X-Request-Id, if it is fit for a header and a log line. */
export const givenRequestId = (req: IncomingMessage): string | undefined => {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && GIVEN.test(given) ? given : undefined
}
