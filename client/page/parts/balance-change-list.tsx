import { Account } from './address.tsx'
import type { BalanceChange } from './balance-changes.ts'
import { JettonAmount } from './token.tsx'
import { Amount } from './values.tsx'

export const Changes = ({ of }: { readonly of: readonly BalanceChange[] }) => (
  <ul class="changes">
    {of.map(({ account, jetton, amount }) => (
      <li key={`${account}${jetton ?? ''}`}>
        <Account of={account} />{' '}
        {jetton === undefined ? (
          <Amount of={amount.replace('-', '')} flow={amount.startsWith('-') ? 'out' : 'in'} exact />
        ) : (
          <JettonAmount of={amount.replace('-', '')} flow={amount.startsWith('-') ? 'out' : 'in'} jetton={jetton} exact />
        )}
      </li>
    ))}
  </ul>
)
