import { base64Hash } from './verify/account.ts'
import { wholeRoot } from './verify/boc.ts'
import { must } from './verify/error.ts'
import { normalizedHash, openMessage } from './verify/message.ts'

/** Identifies an external message for `client.waitForMessage`: its destination, and its normalized hash and body hash in base64. */
export interface MessageId {
  readonly address: string
  readonly hash: string
  readonly bodyHash: string
}

/** Maximum number of hashes of cells. The network accepts no message with more than 8,192. */
const MAX_HASHES = 1 << 14

/** Identifies an external message. `boc` is base64. Throws TypeError. */
export const messageId = (boc: string): MessageId => {
  try {
    const root = wholeRoot(boc, { hashes: MAX_HASHES })
    const { info, body } = openMessage(root)
    const { target, destination } = info
    must(target !== undefined && typeof destination === 'string', 'not an external message to an account')
    return {
      address: destination.toLowerCase(),
      hash: normalizedHash(root, target, body) ?? base64Hash(root),
      bodyHash: base64Hash(body),
    }
  } catch (error) {
    throw new TypeError(`boc: ${(error as Error).message}`, { cause: error })
  }
}
