import * as z from 'zod'
import { method } from './method.ts'
import { text } from './models/wire.ts'

/** Methods by which the service describes itself. */
export const documents = {
  'rpc.discover': method({
    heading: 'Documents',
    summary: 'The OpenRPC document of this service.',
    examples: [{ title: 'the document', params: {} }],
    params: z.object({}),
    result: z.looseObject({ openrpc: text('Version of OpenRPC; the members beside it are those of an OpenRPC document.', '1.3.2') }),
    effect: 'read',
    needs: 'nothing',
    rest: 'none',
    weight: 1,
    cache: 'never',
  }),
}
