import { useNow } from '../base/clock.ts'
import { counted, groups } from '../base/format.ts'
import { ton } from '../base/service.ts'
import type { Answer } from '../base/types.ts'
import { Account, AccountList } from '../parts/address.tsx'
import { Card, Facts } from '../parts/layout.tsx'
import { Amount, FullTime } from '../parts/values.tsx'
import { accountPart } from './account-part.tsx'

type Vesting = Answer<'v3.vesting'>['vesting_contracts'][number]

/** Nanograms that are locked at a time. The formula is the contract's. */
const lockedAt = (
  vesting: Pick<Vesting, 'start_time' | 'total_duration' | 'unlock_period' | 'cliff_duration' | 'total_amount'>,
  now: number,
): bigint => {
  const { start_time, total_duration, unlock_period, cliff_duration } = vesting
  const total = BigInt(vesting.total_amount)
  if (now > start_time + total_duration) return 0n
  if (now < start_time + cliff_duration) return total
  const periods = BigInt(Math.floor(total_duration / unlock_period))
  const passed = BigInt(Math.floor((now - start_time) / unlock_period))
  return total - (total * passed) / periods
}

/** Time (unix seconds) and amount of the next unlock. Undefined if nothing is locked any more. */
const nextUnlock = (vesting: Parameters<typeof lockedAt>[0], now: number): { readonly at: number; readonly amount: bigint } | undefined => {
  const { start_time, unlock_period, cliff_duration } = vesting
  const locked = lockedAt(vesting, now)
  if (locked === 0n) return undefined
  const passed = Math.max(0, Math.floor((now - start_time) / unlock_period))
  // Number of periods until the next unlock, which is not before the end of the cliff.
  const periods = Math.max(passed + 1, Math.ceil(cliff_duration / unlock_period))
  const cliffEnd = start_time + cliff_duration
  const at = now < cliffEnd ? cliffEnd : start_time + periods * unlock_period
  return { at, amount: locked - lockedAt(vesting, at) }
}

const days = (seconds: number): string => (seconds % 86_400 === 0 ? counted(seconds / 86_400, 'day') : `${groups(String(seconds))} s`)

export const VestingCard = accountPart(
  (raw, signal) => ton.v3.vesting({ contract_address: [raw] }, { signal }),
  ({ data }) => {
    const [vesting] = data.vesting_contracts
    const now = useNow()
    if (vesting === undefined) return null
    const sound = vesting.unlock_period > 0 && vesting.total_duration >= vesting.unlock_period
    const next = sound ? nextUnlock(vesting, now) : undefined
    return (
      <Card title="Vesting">
        <Facts
          rows={{
            'Locked now': sound ? <Amount of={lockedAt(vesting, now).toString()} exact /> : undefined,
            'Unlocked so far': sound ? <Amount of={(BigInt(vesting.total_amount) - lockedAt(vesting, now)).toString()} exact /> : undefined,
            'Unlocked next': next && (
              <>
                <Amount of={next.amount.toString()} exact /> on <FullTime of={next.at} />
              </>
            ),
            Total: <Amount of={vesting.total_amount} exact />,
            Begins: <FullTime of={vesting.start_time} />,
            Ends: <FullTime of={vesting.start_time + vesting.total_duration} />,
            'Unlocks every': days(vesting.unlock_period),
            'Cliff ends': <FullTime of={vesting.start_time + vesting.cliff_duration} />,
            Owner: <Account of={vesting.owner_address} />,
            Sender: <Account of={vesting.sender_address} />,
            'Whitelist (may be paid while locked)': <AccountList of={vesting.whitelist} />,
          }}
        />
      </Card>
    )
  },
)
