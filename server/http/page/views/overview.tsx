import type { ComponentChildren } from 'preact'
import { useAbout } from '../base/about.ts'
import { useCall } from '../base/call.ts'
import { useLead } from '../base/clock.ts'
import { groups } from '../base/format.ts'
import { useHold } from '../base/gate.ts'
import { indexText, useAge } from '../base/index-text.ts'
import { live, status } from '../base/live.ts'
import { ton } from '../base/service.ts'
import { useStore } from '../base/store.ts'
import type { Action } from '../base/types.ts'
import { NewestList } from '../parts/action-list.tsx'
import { BehindContext } from '../parts/behind.tsx'
import { Fitting } from '../parts/fitting.tsx'
import { Card, Empty, Heading, Loading } from '../parts/layout.tsx'
import { MasterBlockLink, Time } from '../parts/values.tsx'
import { NewestBlocks } from './newest-blocks.tsx'

/* What happens now: head, lag of the index, newest blocks and actions. */

/** Actions that fill the card at least. Those that do not fit are not shown. */
const ACTIONS = 24

interface FigureProps {
  readonly name: string
  readonly title?: string | undefined
  readonly children: ComponentChildren
}

const Figure = ({ name, title, children }: FigureProps) => (
  <div class="figure" title={title}>
    <span class="name">{name}</span>
    <span class="value">{children}</span>
  </div>
)

const Figures = () => {
  const { seqno, utime, state } = useStore(live)
  useHold(utime === 0 && state === 'connecting')
  const known = useStore(status)
  const lead = useLead()
  const age = useAge(known?.index?.seqno ?? 0)
  return (
    <div class="figures">
      <Figure name="Masterchain block">{seqno === 0 ? '…' : <MasterBlockLink seqno={seqno} />}</Figure>
      <Figure name="Last block">
        {utime === 0 ? '…' : <Time of={utime} />}
        {lead !== '' && <span class="lead">chain clock {lead} ahead</span>}
      </Figure>
      <Figure name="Index" title={known?.index && `It has everything up to masterchain block ${groups(String(known.index.seqno))}.`}>
        {known === undefined ? '…' : indexText(known.index, age)}
      </Figure>
      <Figure name="tonway version">{known?.version ?? '…'}</Figure>
    </div>
  )
}

/** Without the last trace: the end of the answer can have cut it in two. */
const withoutTheCut = (actions: readonly Action[]): readonly Action[] => {
  const cut = actions.length < ACTIONS ? undefined : actions.at(-1)?.trace_id
  const whole = actions.filter(({ trace_id }) => cut === undefined || trace_id !== cut)
  return whole.length === 0 ? actions : whole
}

/** They are requested before it is known whether there is an index, because most services have one. */
const NewestActions = () => {
  const known = useStore(status)
  const about = useAbout()
  const answer = useCall((signal) => ton.v3.actions({ limit: ACTIONS }, { signal }), ['actions'], true)
  return (
    <Card title="Actions" class={about?.local ? 'fixed injectable' : 'fixed'}>
      <Loading of={known === undefined ? { ...answer, error: undefined } : answer} lines={8}>
        {({ actions, address_book, metadata }) =>
          actions.length === 0 ? (
            <Empty>Nothing has happened yet. What accounts do is listed here.</Empty>
          ) : (
            <Fitting rows=".actions > li">
              <BehindContext.Provider value="newest">
                <NewestList actions={withoutTheCut(actions)} names={{ book: address_book, metadata }} isBadgeLate />
              </BehindContext.Provider>
            </Fitting>
          )
        }
      </Loading>
    </Card>
  )
}

export const Overview = () => {
  const known = useStore(status)
  return (
    <>
      <Heading title="Overview" />
      <Figures />
      {known !== undefined && known.index === undefined && (
        <p class="notice">The index is off here. Accounts can be looked up; lists, traces and tokens need the index.</p>
      )}
      <div class="columns">
        {(known === undefined || known.index !== undefined) && <NewestActions />}
        <NewestBlocks />
      </div>
    </>
  )
}
