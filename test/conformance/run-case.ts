import type { Case } from './case-file.ts'
import { differences, readRecorded } from './compare.ts'
import { parseExact } from './numbers.ts'
import { withPlaceholders } from './placeholders.ts'
import type { Answer, Request, Transport } from './transports.ts'

/** How strict transports are compared: with everything that an error has. */
const STRICT = ['single', 'batch', 'ws']

export const requestOf = (line: string): Request => JSON.parse(line) as Request

const sent = async (transport: Transport, request: Request): Promise<Answer> => {
  const answer = await transport.send(request)
  return 'result' in answer ? { result: withPlaceholders(request.method, answer.result) } : answer
}

/** Whether a transport can carry the request that the case is about, which is its last one. */
export const canCarry = ({ only, exchanges }: Case, transport: Transport): boolean =>
  (only === undefined || only.includes(transport.name)) && transport.canSend(requestOf(exchanges.at(-1)!.request))

/**
 * Sends the requests of a case, and answers how the answers differ from the recorded ones. What the transport cannot carry of the first ones is sent by `other`.
 */
export const runCase = async (
  { exchanges, status, elsewhere }: Case,
  transport: Transport,
  { other = transport, isForeign = false }: { readonly other?: Transport; readonly isForeign?: boolean } = {},
): Promise<string[]> => {
  const found: string[] = []
  for (const { request: line, received } of exchanges) {
    const request = requestOf(line)
    const carrier = transport.canSend(request) ? transport : other
    const options = { isWhole: STRICT.includes(carrier.name), shape: isForeign && elsewhere === 'shape' }
    found.push(...differences(readRecorded(received[0]!), status, await sent(carrier, request), options))
  }
  return found
}

/** The text of a strict answer as a case has it: without the member that TonClient needs, and with placeholders. */
export const recordedText = ({ method }: Request, text: string, hasMask: boolean): string => {
  const line = text.replace(/^\{"ok":true,/, '{')
  if (!hasMask) return line
  const body = parseExact(line) as { result?: unknown }
  return JSON.stringify('result' in body ? { ...body, result: withPlaceholders(method, body.result) } : body)
}
