import { Address } from '@ton/core'
import { bidder, createElections, ELECTOR, TIMES } from '../../kit/chain/elections.ts'
import { createPool, nominator } from '../../kit/chain/nominator-pool.ts'
import type { Clock } from './clock.ts'
import { TON } from './wallet.ts'

/* Two validation cycles with the mainnet's elector: a nominator pool that takes part, a complaint, a vote. Real contracts run at every block from here on. */

const FACTOR = 10 << 16
const VALIDATOR = new Address(-1, Buffer.alloc(32, 0xc0))

export const playValidators = async ({ call, settle, now }: Clock) => {
  const elections = await createElections(call, now)
  const pool = createPool(call, { validator: VALIDATOR, share: 4000, minValidatorStake: 200n * TON, minNominatorStake: 10n * TON })
  const [first, second] = [elections.start + TIMES.electedFor, elections.start + 2 * TIMES.electedFor]
  await pool.fund(1000n * TON, true)
  await pool.deposit(nominator(1), 700n * TON)
  await pool.deposit(nominator(2), 300n * TON)
  await settle()
  await elections.until(610, 3)
  await elections.stake(bidder(0), first, 9000n * TON)
  await elections.stake(bidder(1), first, 1000n * TON)
  // Too little.
  await elections.stake(bidder(3), first, 5n * TON)
  await pool.stake(bidder(2), first, 1900n * TON, FACTOR)
  await settle()
  await pool.deposit(nominator(1), 40n * TON)
  await pool.withdraw(nominator(2))
  await settle()
  await elections.until(TIMES.electedFor - TIMES.endBefore + 10, 4)
  await elections.until(TIMES.electedFor + 10, 4)
  await pool.updateSet()
  // Fees that the elector collects for the validators.
  await call('local.sendInternal', { from: `-1:${'0'.repeat(64)}`, to: ELECTOR.toRawString(), amount: String(500n * TON) })
  await elections.until(TIMES.electedFor + 610, 3)
  await elections.stake(bidder(0), second, 9000n * TON)
  await elections.stake(bidder(1), second, 1000n * TON)
  await settle()
  await elections.until(2 * TIMES.electedFor - TIMES.endBefore + 10, 4)
  await elections.until(2 * TIMES.electedFor + 10, 4)
  await pool.updateSet()
  await elections.complain(bidder(0), first, bidder(1), 10n * TON)
  await settle()
  await elections.until(2 * TIMES.electedFor + TIMES.heldFor + 100, 3)
  await pool.recover()
  await settle()
  await pool.takeBack(50n * TON)
  await pool.processWithdrawals(10)
  await settle()
  return { pool: pool.address.toRawString(), first, second }
}
