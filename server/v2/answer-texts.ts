import type { Call } from '../base/call.ts'
import { MAX_JOINED, tooLong } from '../base/json-text.ts'
import type { Cell } from '../cell/cell.ts'
import { bocInTurns } from './wire.ts'

/** The long texts of one answer. */
export interface AnswerTexts {
  /** Like `bocInTurns`. Equal cells are written once. */
  boc(cell: Cell): Promise<string>
  /** Counts a text and returns it. Throws TOO_LARGE if the answer could not be sent, and the signal's reason once the signal is aborted. */
  count(text: string): string
}

/**
 * A contract can send 255 messages with a megabyte of the same cells, and an account a thousand such transactions. So an answer that is too long is refused
 * before its texts take gigabytes.
 */
export const createAnswerTexts = ({ signal, acceptsPieces }: Pick<Call, 'signal' | 'acceptsPieces'>): AnswerTexts => {
  const most = acceptsPieces ? MAX_JOINED.single : MAX_JOINED.other
  const bocs = new Map<string, string>()
  let characters = 0
  const count = (text: string): string => {
    signal.throwIfAborted()
    characters += text.length
    if (characters > most) throw tooLong(most)
    return text
  }
  return {
    count,
    async boc(cell) {
      const key = cell.hashHex()
      const text = bocs.get(key) ?? (await bocInTurns(cell, signal))
      bocs.set(key, text)
      return count(text)
    },
  }
}
