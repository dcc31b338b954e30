import { describe, expect, it } from 'vitest'
import type { LitePool } from '../../../server/chain/lite/pool.ts'
import { firstHead } from '../../../server/network/open-pool.ts'
import { sleep } from '../../kit/wait.ts'

/* The start of a network of lite-servers waits for its first head. */

const WAIT_MS = 20
const LOOKS = 12

/** A pool that has a head after so many looks; `keyBlock` and `state` as they are at each. */
const poolOf = (keyBlock: (look: number) => number, state: (look: number) => string): Pick<LitePool, 'ready' | 'status'> => {
  let look = 0
  return {
    async ready() {
      await sleep(WAIT_MS)
      look += 1
      if (look < LOOKS) throw new Error('no head yet')
    },
    status: () =>
      ({ key_block: keyBlock(look), head: null, queued: 0, servers: [{ state: state(look) }] }) as unknown as ReturnType<
        LitePool['status']
      >,
  }
}

describe('the wait for the first head', () => {
  it('the wait for the first head goes on while key blocks are proven, even over a lost connection', async () => {
    // Its patience is less than one look: only what is proven keeps it.
    await firstHead(
      poolOf(
        (look) => look,
        (look) => (look % 2 === 0 ? 'ready' : 'waiting'),
      ),
      undefined,
      1,
    )
  })

  it('the wait for the first head ends if nothing is proven in time', async () => {
    await expect(
      firstHead(
        poolOf(
          () => 7,
          () => 'ready',
        ),
        undefined,
        WAIT_MS * 2,
      ),
    ).rejects.toThrow('no head yet')
  })

  it('the wait for the first head ends at once if no server can be reached', async () => {
    await expect(
      firstHead(
        poolOf(
          () => 7,
          () => 'waiting',
        ),
        undefined,
      ),
    ).rejects.toThrow('no head yet')
  })
})
