import type { Action, Transaction } from '../base/types.ts'
import { Account } from './address.tsx'
import { balanceChanges } from './balance-changes.ts'
import { Beginning } from './more-rows.tsx'
import { JettonAmount } from './token.tsx'
import { Amount } from './values.tsx'

const FIRST = 8
const MORE = 100

const flowOf = (amount: string) => ({ of: amount.replace('-', ''), flow: amount.startsWith('-') ? ('out' as const) : ('in' as const) })

interface BalanceChangesProps {
  readonly transactions: readonly Transaction[]
  readonly actions: readonly Action[]
}

export const BalanceChanges = ({ transactions, actions }: BalanceChangesProps) => (
  <Beginning of={balanceChanges(transactions, actions)} first={FIRST} more={MORE}>
    {(shown) => (
      <ul class="changes">
        {shown.map(({ account, jetton, amount }) => (
          <li key={`${account}${jetton ?? ''}`}>
            <Account of={account} />{' '}
            {jetton === undefined ? <Amount {...flowOf(amount)} exact /> : <JettonAmount {...flowOf(amount)} jetton={jetton} exact />}
          </li>
        ))}
      </ul>
    )}
  </Beginning>
)
