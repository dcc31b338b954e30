import { useCall } from '../base/call.ts'
import { ton } from '../base/service.ts'
import type { Answer } from '../base/types.ts'
import { Card, Heading, Loading, Table } from '../parts/layout.tsx'
import { Time } from '../parts/values.tsx'

type Hook = Answer<'hooks.list'>['hooks'][number]

/** The masterchain seqno in a cursor. */
const blockOf = (cursor: string): string => cursor.split('.', 1)[0]!

const State = ({ of: { state, reason, failures, next_try } }: { readonly of: Hook }) => (
  <>
    {state}
    {reason !== null && <small class="dim"> {reason}</small>}
    {next_try !== null && (
      <small class="dim">
        {' '}
        · failure {failures} · next try <Time of={next_try} />
      </small>
    )}
  </>
)

const rowOf = (hook: Hook) => ({
  key: hook.id,
  isBad: hook.state !== 'active',
  cells: [hook.url, hook.types.join(', '), <State of={hook} />, blockOf(hook.cursor), <Time of={hook.created_at} />],
})

export const HooksPage = () => (
  <>
    <Heading title="Webhooks" />
    <Card>
      <Loading of={useCall((signal) => ton.hooks.list({}, { signal }), ['hooks'], true)}>
        {({ hooks }) => (
          <Table
            label="Webhooks"
            head={['URL', 'Events', 'State', 'Delivered to block', 'Made']}
            right={['Delivered to block', 'Made']}
            empty="There are no webhooks of this key. The method hooks.create makes one."
            rows={hooks.map(rowOf)}
          />
        )}
      </Loading>
    </Card>
  </>
)
