import * as z from 'zod'
import { method } from './method.ts'
import { flag, model, text } from './models/value-formats.ts'

const texts = (what: string, code: string, meaning: string) =>
  z.record(z.string().regex(/^-?\d+$/), z.string()).meta({ description: what, examples: [{ [code]: meaning }] })

const own = { heading: 'Documents', effect: 'read', needs: 'nothing', rest: 'none', weight: 1, cache: 'never' } as const

export const documents = {
  'rpc.discover': method({
    ...own,
    summary: 'The OpenRPC document of this service.',
    examples: [{ title: 'the document', params: {} }],
    params: z.object({}),
    result: z.looseObject({ openrpc: text('Version of OpenRPC; the members beside it are those of an OpenRPC document.', '1.3.2') }),
  }),
  'rpc.about': method({
    ...own,
    summary: 'Which network is served, what this caller may do there, and what exit codes mean.',
    examples: [{ title: 'all of it', params: {} }],
    params: z.object({}),
    result: model('About', {
      network: text('Name of the network.', 'local'),
      version: text('Version of the service.', '1.0.0'),
      local: flag('Whether the chain is embedded and this caller may call `local.*`.'),
      fork: text('Name of the network that the embedded chain is a fork of; missing if it is none.', 'mainnet').optional(),
      index: flag('Whether there is an index: methods that need it are served.'),
      exit_codes: z
        .strictObject({
          compute: texts(
            'Exit codes of the TVM, in words. A contract may throw any of them with a meaning of its own.',
            '13',
            'out of gas',
          ),
          action: texts('Result codes of the action phase, in words.', '37', 'not enough nanograms for an action'),
        })
        .describe('What codes of failed transactions mean.'),
    }),
  }),
}
