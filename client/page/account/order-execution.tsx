import { counted } from '../base/format.ts'
import { useAbout } from '../base/service-about.ts'
import { useExecution } from '../base/value-lookups.ts'
import { failureText, outcomeOf } from '../parts/outcome.ts'
import { Badge, FullTime, Hash, Time } from '../parts/values.tsx'

/** `order`: raw address of an order that has all its signatures. */
export const Executed = ({ order }: { readonly order: string }) => {
  const execution = useExecution(order)
  if (execution === undefined) return <Badge>sent for execution</Badge>
  const { tx, leftOut } = execution
  if (outcomeOf(tx).failed) return <Badge tone="bad">failed: nothing was carried out</Badge>
  if (leftOut > 0) return <Badge tone="bad">{`carried out without ${counted(leftOut, 'action')}`}</Badge>
  return <Badge tone="ok">carried out</Badge>
}

export const ExecutedAt = ({ order }: { readonly order: string }) => {
  const execution = useExecution(order)
  return <span class="dim">executed {execution && <Time of={execution.tx.now} />}</span>
}

export const ExecutionText = ({ order }: { readonly order: string }) => {
  const execution = useExecution(order)
  const texts = useAbout()?.exit_codes
  if (execution === undefined) return <span class="dim">not in the index</span>
  const { tx } = execution
  const outcome = outcomeOf(tx, texts)
  return (
    <>
      <Hash of={tx.hash} to="tx" /> on <FullTime of={tx.now} />
      {outcome.failed && <p class="notice bad">{failureText(outcome)}</p>}
    </>
  )
}
