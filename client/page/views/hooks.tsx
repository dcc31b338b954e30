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

export const HooksPage = () => (
  <>
    <Heading title="Webhooks" />
    <Card>
      <Loading of={useCall((signal) => ton.hooks.list({}, { signal }), ['hooks'], true)}>
        {({ hooks }) => (
          <Table
            label="Webhooks"
            of={hooks}
            id={({ id }) => id}
            columns={{
              URL: ({ url }) => url,
              Events: ({ types }) => types.join(', '),
              State: (hook) => <State of={hook} />,
              'Delivered to block': ({ cursor }) => blockOf(cursor),
              Made: ({ created_at }) => <Time of={created_at} />,
            }}
            isBad={({ state }) => state !== 'active'}
            right={['Delivered to block', 'Made']}
            empty="There are no webhooks of this key. The method hooks.create makes one."
          />
        )}
      </Loading>
    </Card>
  </>
)
