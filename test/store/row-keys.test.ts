import { expect, it } from 'vitest'
import { accountKey, friendlyOfKey } from '../../server/store/row-keys.ts'
import { fitsFriendly, formatFriendly } from '../../shared/fields/address.ts'
import { createRandom } from '../kit/random.ts'

it('the friendly form of a key is that of its account, and null where the workchain has none', () => {
  const { below, pick } = createRandom(3)
  for (let i = 0; i < 500; i++) {
    const workchain = pick([0, -1, 127, -128, 128, -129, 2 ** 31 - 1])
    const hash = Uint8Array.from({ length: 32 }, () => below(256))
    const [bounceable, testOnly] = [below(2) === 1, below(2) === 1]
    const wanted = fitsFriendly({ workchain }) ? formatFriendly({ workchain, hash }, { bounceable, testOnly }) : null
    expect(friendlyOfKey(accountKey(workchain, hash), bounceable, testOnly)).toBe(wanted)
  }
})
