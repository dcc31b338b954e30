import { TonError } from '../../../shared/errors.ts'
import { type LiteAnswer, LiteServerError } from '../liteserver.ts'
import { fromRelayed } from '../relayed-error.ts'
import { allOf, usableOf } from './choose-servers.ts'
import { LinkError } from './client.ts'
import type { Member } from './member.ts'
import { noServer, type ReadDeps } from './reads.ts'

/** Maximum number of servers that a message is sent to. */
const COPIES = 3
/** Milliseconds that the remaining servers have to accept the message after one server refused it. */
const SECOND_OPINION_MS = 2_000

/**
 * Sends a message to several servers at once; one acceptance is enough. If a connection is lost after sending, the message is not sent to that server
 * again, because the server may have received it.
 */
export const createSend =
  ({ choice, change, patienceMs }: Pick<ReadDeps, 'choice' | 'change' | 'patienceMs'>) =>
  async (body: Uint8Array, signal: AbortSignal): Promise<LiteAnswer<'sendMessage'>> => {
    const usable = (): Member[] => [...usableOf(choice, (member) => member.usable())].sort((a, b) => a.score() - b.score())
    const patience = performance.now() + patienceMs
    while (usable().length === 0) {
      const left = patience - performance.now()
      if (left <= 0) throw noServer(allOf(choice))
      await change(left, signal)
      signal.throwIfAborted()
    }
    const chosen = usable().slice(0, COPIES)
    return new Promise((resolve, reject) => {
      let left = chosen.length
      let refusal: LiteServerError | undefined
      let unknown: string | undefined
      let timer: NodeJS.Timeout | undefined
      const decide = (): void => {
        clearTimeout(timer)
        if (refusal) reject(fromRelayed(refusal))
        else if (unknown)
          reject(new TonError('SOURCE_TIMEOUT', `the message was sent, but no lite-server said whether it accepted it (${unknown})`))
        else reject(noServer(allOf(choice)))
      }
      const failed = (member: Member, error: unknown): void => {
        left -= 1
        if (signal.aborted) reject(signal.reason)
        else if (error instanceof LiteServerError) {
          refusal ??= error
          timer ??= setTimeout(decide, SECOND_OPINION_MS)
        } else {
          if (!(error instanceof LinkError) || error.sent) unknown ??= error instanceof Error ? error.message : String(error)
          member.penalize(error instanceof Error ? error.message : String(error))
        }
        if (left === 0) decide()
      }
      for (const member of chosen)
        member.query('sendMessage', { body }, signal).then(
          (answer) => {
            clearTimeout(timer)
            resolve(answer)
          },
          (error) => failed(member, error),
        )
    })
  }
