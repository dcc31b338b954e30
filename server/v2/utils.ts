import { formatFriendly, formatRaw, type ParsedAddress } from '../../shared/fields/address.ts'
import type { utils } from '../../shared/v2/utils.ts'
import type { Handlers } from '../base/call.ts'
import { base64, hex } from './wire.ts'

/** One friendly form in both base64 alphabets. The test-only flag of the input is preserved. */
const variant = (address: ParsedAddress, bounceable: boolean) =>
  ({
    '@type': 'ext.utils.detectedAddressVariant',
    b64: formatFriendly(address, { bounceable, testOnly: address.testOnly, urlSafe: false }),
    b64url: formatFriendly(address, { bounceable, testOnly: address.testOnly }),
  }) as const

export const utilHandlers = (): Pick<Handlers, keyof typeof utils> => ({
  async detectAddress({ address }) {
    return {
      '@type': 'ext.utils.detectedAddress',
      raw_form: formatRaw(address, 'lower'),
      bounceable: variant(address, true),
      non_bounceable: variant(address, false),
      given_type: address.form === 'raw' ? 'raw_form' : address.bounceable ? 'friendly_bounceable' : 'friendly_non_bounceable',
      test_only: address.testOnly,
    }
  },

  async detectHash({ hash }) {
    return { '@type': 'ext.utils.detectedHash', b64: base64(hash), b64url: Buffer.from(hash).toString('base64url'), hex: hex(hash) }
  },

  async packAddress({ address }) {
    return formatFriendly(address, address)
  },

  async unpackAddress({ address }) {
    return formatRaw(address, 'upper')
  },
})
