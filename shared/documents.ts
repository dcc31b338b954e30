import * as z from 'zod'
import { method } from './method.ts'

/** What the service tells about itself. */
export const documents = {
  'rpc.discover': method({
    summary: 'The OpenRPC document of this service.',
    params: z.object({}),
    result: z.looseObject({ openrpc: z.string() }),
    effect: 'read',
    needs: 'nothing',
    rest: 'none',
    weight: 1,
    cache: 'never',
  }),
}
