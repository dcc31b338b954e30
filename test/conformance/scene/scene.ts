import type { LocalCall } from '../../kit/chain/local-calls.ts'
import { createClock } from './clock.ts'
import { playContracts } from './contracts.ts'
import { playTokens } from './tokens.ts'
import { playValidators } from './validators.ts'
import { FRIEND, openWallet } from './wallet.ts'

/** Plays everything that the cases ask about, on a new chain of `genesis.json`. Answers the time of the next block. */
export const playScene = async (call: LocalCall, start: number) => {
  await call('local.setAutomine', { automine: false })
  const clock = createClock(call, start)
  await clock.call('local.fund', { address: FRIEND.toRawString(), amount: '1234567890123' })
  await clock.settle()
  const wallet = await openWallet(clock)
  await wallet.play()
  const tokens = await playTokens(clock, wallet)
  const contracts = await playContracts(clock)
  const validators = await playValidators(clock)
  return { now: clock.now(), names: { wallet: wallet.address.toRawString(), ...tokens, ...contracts, ...validators } }
}
