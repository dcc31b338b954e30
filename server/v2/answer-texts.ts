import type { Call } from '../base/call.ts'
import { MAX_JOINED, tooLong } from '../base/json-text.ts'
import type { Cell } from '../cell/cell.ts'
import { bocInTurns } from './wire.ts'

/**
 * The long texts of one answer. A contract can send 255 messages with a megabyte of the same cells, and an account a thousand such transactions. So an
 * answer that is too long is refused before its texts take gigabytes.
 */
export const createAnswerTexts = ({ signal, acceptsPieces }: Pick<Call, 'signal' | 'acceptsPieces'>) => {
  const most = acceptsPieces ? MAX_JOINED.single : MAX_JOINED.other
  const bocs = new Map<string, string>()
  let characters = 0
  /** Counts a text and returns it. Throws TOO_LARGE if the answer could not be sent, and the signal's reason once the signal is aborted. */
  const count = (text: string): string => {
    signal.throwIfAborted()
    characters += text.length
    if (characters > most) throw tooLong(most)
    return text
  }
  return {
    count,
    /** Like `bocInTurns`. Equal cells are written once. */
    async boc(cell: Cell): Promise<string> {
      const key = cell.hashHex()
      const text = bocs.get(key) ?? (await bocInTurns(cell, signal))
      bocs.set(key, text)
      return count(text)
    },
  }
}
export type AnswerTexts = ReturnType<typeof createAnswerTexts>
