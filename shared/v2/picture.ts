import * as z from 'zod'
import { address } from '../fields/address.ts'
import { method } from '../method.ts'
import { base64, int, model, words } from '../models/value-formats.ts'
import { RAW } from '../samples.ts'

/** Media types of pictures. Detected from the first bytes of a picture, because its server's header is not trusted. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

export const picture = {
  'token.picture': method({
    heading: 'Accounts',
    effect: 'read',
    needs: 'index',
    // Its path is `/picture/<account>`, outside the REST mirror.
    rest: 'none',
    weight: 1,
    cache: 'never',
    errors: ['NOT_FOUND'],
    summary:
      'The picture of a jetton, an NFT or a collection, as a raster picture of at most 1 MiB. `/picture/<account>` answers its bytes.',
    examples: [{ title: 'of no token', params: { address: RAW }, fails: 'NOT_FOUND' }],
    params: z.object({ address: address('The jetton master, jetton wallet, NFT or collection.') }),
    result: model('TokenPicture', {
      type: words('Media type, by the first bytes.', PICTURE_TYPES),
      width: int('Width in pixels.', 256),
      height: int('Height in pixels.', 256),
      data: base64('The picture.'),
    }),
  }),
}
