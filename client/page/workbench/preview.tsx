import type { ComponentChildren } from 'preact'
import { ton } from '../base/service.ts'
import type { Transaction } from '../base/types.ts'
import { ActionList } from '../parts/action-list.tsx'
import { BehindContext } from '../parts/action-transactions.tsx'
import { AnswerNames } from '../parts/answer-names.tsx'
import { BalanceChanges } from '../parts/balance-change-list.tsx'
import { totalFees } from '../parts/fees-and-purpose.ts'
import { Facts } from '../parts/layout.tsx'
import { byCause } from '../parts/sort-actions.ts'
import { Amount, Badge } from '../parts/values.tsx'

export const preview = async (boc: string, hasIndex: boolean): Promise<ComponentChildren> => {
  const answer = await ton.emulate.bundle({ messages: [{ boc }], include_address_book: hasIndex, include_metadata: hasIndex })
  const [result] = answer.results
  const { actions, failure, is_incomplete } = result!
  const transactions: Readonly<Record<string, Transaction>> = result!.transactions
  const all = Object.values(transactions)
  return (
    <AnswerNames of={answer}>
      <section class="preview" aria-label="Preview">
        <p class="dim">Nothing is sent. This would follow now:</p>
        {failure ? <Badge tone="bad">{failure.message}</Badge> : <Badge tone="ok">success</Badge>}
        <BehindContext.Provider value={{ transactions, unsent: undefined }}>
          <ActionList actions={byCause(actions)} exact linksTo="nothing" pending />
        </BehindContext.Provider>
        {all.length > 0 && (
          <Facts
            rows={{
              'Total fees': <Amount of={totalFees(all)} exact />,
              'Balance changes': <BalanceChanges transactions={all} actions={actions} />,
            }}
          />
        )}
        {is_incomplete && <p class="notice">More would follow than is shown.</p>}
      </section>
    </AnswerNames>
  )
}
