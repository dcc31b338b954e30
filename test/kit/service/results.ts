import type { AnyHandler } from '../../../server/base/answer.ts'
import type { Call } from '../../../server/base/call.ts'
import { jsonTexts } from '../../../server/base/json-text.ts'

/** The JSON of an answer as one text. */
export const jsonText = async (...args: Parameters<typeof jsonTexts>): Promise<string> => (await jsonTexts(...args)).join('')

/** A handler that returns only the result. */
export type ResultHandler = (params: unknown, call: Call) => Promise<unknown>

/** The same handlers, each returning only its result. A result in pieces is parsed from its JSON. */
export const resultsOf = (handlers: Readonly<Record<string, AnyHandler>>): Readonly<Record<string, ResultHandler>> =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]): readonly [string, ResultHandler] => [
      name,
      async (params, call) => {
        const answer = await handler(params as never, call)
        return answer.pieces === undefined ? answer.body : JSON.parse(await jsonText(answer, call.signal))
      },
    ]),
  )
