import type { Tonway } from '../../server/start/tonway.ts'
import { parseExact } from './numbers.ts'
import type { Transport } from './transports.ts'

interface Failure {
  readonly message: string
  readonly kind: string
  readonly issues?: unknown
}

/** The client that `startTonway` returns: its calls make no requests. */
export const createInProcessTransport = ({ client }: Tonway): Transport => ({
  name: 'in process',
  canSend: ({ params }) => !Array.isArray(params),
  async send({ method, params }) {
    try {
      const result = await client.request(method as 'getMasterchainInfo', params as never)
      // The client's large numbers are bigints.
      const text = JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
      return { result: parseExact(text) }
    } catch (error) {
      const { message, kind, issues } = error as Failure
      const data = { kind, ...(issues !== undefined && { issues }) }
      // The client puts the method before the text, and the refused parameters behind it.
      return { error: { message: message.slice(`${method}: `.length).replace(/ \(parameter [^()]+\)$/, ''), data } }
    }
  },
})
