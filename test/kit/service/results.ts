import type { AnyHandler } from '../../../server/base/answer.ts'
import type { Call } from '../../../server/base/call.ts'
import { jsonText } from '../../../server/base/json-text.ts'

/** A handler of which only the result is asked. */
export type ResultHandler = (params: unknown, call: Call) => Promise<unknown>

/** The same handlers; each answers its result alone, read back from its JSON where that comes in pieces. */
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
