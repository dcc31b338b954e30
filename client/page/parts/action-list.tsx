import { Fragment, type VNode } from 'preact'
import { counted, dayOf, zoneOf } from '../base/format.ts'
import { txHref } from '../base/router.ts'
import type { Action } from '../base/types.ts'
import { ActionLine, type ActionProps } from './action.tsx'
import { useNames } from './answer-names.tsx'
import { byTrace, withoutWalletDeploys } from './sort-actions.ts'
import { Time } from './values.tsx'

interface ListProps extends Omit<ActionProps, 'of' | 'timed'> {
  readonly actions: readonly Action[]
}

export const ActionList = ({ actions, ...props }: ListProps) => (
  <ul class={props.self === undefined ? 'actions plain' : 'actions'}>
    {withoutWalletDeploys(actions, useNames()).map((action) => (
      <ActionLine key={action.action_id} of={action} {...props} />
    ))}
  </ul>
)

type RunProps = Omit<ListProps, 'actions' | 'linksTo'>

const endOf = (of: readonly Action[]): number => of.reduce((end, { end_utime }) => Math.max(end, Number(end_utime)), 0)

/**
 * The actions of one trace. If there are several, a head links to the trace, each action links to its own transaction, and an action shows its time only if
 * it differs from the head's time. `most`: maximum number of actions that are shown.
 */
const Run = ({ of, most = of.length, clock, ...props }: RunProps & { readonly of: readonly Action[]; readonly most?: number }) => {
  const [first] = of as [Action]
  const trace = first.trace_id ?? first.trace_external_hash
  if (of.length === 1 || !trace) return <ActionLine of={first} clock={clock} {...props} />
  const end = endOf(of)
  const href = txHref(trace)
  return (
    <li class="run">
      <p class="head">
        <a href={href}>{`${counted(of.length, 'action')} of one trace`}</a> <Time of={end} clock={clock} />
      </p>
      <ul>
        {of.slice(0, most).map((action) => (
          <ActionLine
            key={action.action_id}
            of={action}
            {...props}
            linksTo="transaction"
            // The date above the list belongs to the head. An action of a different day shows its own date.
            clock={clock === 'below its date' && dayOf(action.end_utime) !== dayOf(end) ? 'with its date' : clock}
            timed={Number(action.end_utime) !== end}
          />
        ))}
        {of.length > most && (
          <li class="others">
            <a href={href}>{`and ${of.length - most} more`}</a>
          </li>
        )}
      </ul>
    </li>
  )
}

const MAX_OF_ONE = 4

export const NewestList = ({ actions, ...props }: RunProps & { readonly actions: readonly Action[] }) => (
  <ul class="actions plain">
    {byTrace(withoutWalletDeploys(actions, useNames())).map((run) => (
      <Run key={run[0]!.action_id} of={run} most={run.length > MAX_OF_ONE + 1 ? MAX_OF_ONE : run.length} {...props} />
    ))}
  </ul>
)

/** The history of an account: its actions by day and by trace. Date and time zone are above each day. */
export const HistoryList = ({ actions, ...props }: RunProps & { readonly actions: readonly Action[] }) => {
  let day = ''
  return (
    <ul class="actions history">
      {byTrace(withoutWalletDeploys(actions, useNames())).map((run): VNode => {
        const end = endOf(run)
        const own = dayOf(end)
        const isNewDay = own !== day
        day = own
        return (
          <Fragment key={run[0]!.action_id}>
            {isNewDay && <li class="day">{`${own}, ${zoneOf(end)}`}</li>}
            <Run of={run} clock="below its date" {...props} />
          </Fragment>
        )
      })}
    </ul>
  )
}
