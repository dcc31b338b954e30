import { useCall } from '../base/call.ts'
import { counted, groups, NO_END, shareText } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { Account } from '../parts/address.tsx'
import { Card, EmptyCard, Facts, Heading, Loading, Table } from '../parts/layout.tsx'
import { Amount, Badge, FullTime, Hash } from '../parts/values.tsx'

const UNKNOWN = <span class="dim">not known</span>

const Current = () => {
  const answer = useCall((signal) => ton.v3.validators.cycles({ return_validators: true, limit: 1 }, { signal }), ['cycle'])
  return (
    <Loading of={answer} lines={6}>
      {({ cycles: [cycle] }) => {
        if (cycle === undefined) return <EmptyCard title="Current round">The index has seen no set of validators yet.</EmptyCard>
        const isUntold = cycle.validators?.some(({ stake, stake_holder_address: holder }) => !stake || !holder)
        return (
          <>
            <Card title="Current round" side={<Badge>{counted(cycle.total, 'validator')}</Badge>}>
              <Facts
                rows={{
                  Begins: <FullTime of={cycle.cycle_start} />,
                  Ends: cycle.cycle_end === NO_END ? 'no end is set' : <FullTime of={cycle.cycle_end} />,
                  Masterchain: `validated by ${groups(String(cycle.main))} of ${counted(cycle.total, 'validator')}`,
                  Stakes: cycle.total_stake === undefined ? undefined : <Amount of={cycle.total_stake} />,
                  'Min stake': cycle.min_stake === undefined ? undefined : <Amount of={cycle.min_stake} />,
                }}
              />
            </Card>
            <Card title="Validators">
              <Table
                label="Validators"
                of={cycle.validators ?? []}
                id={({ validator_pubkey }) => validator_pubkey}
                columns={{
                  'No.': ({ validator_index }) => String(validator_index + 1),
                  'Public key': ({ validator_pubkey }) => <Hash of={validator_pubkey} />,
                  'ADNL address': ({ adnl_addr }) => <Hash of={adnl_addr} />,
                  'Stake holder': ({ stake_holder_address: holder }) => (holder ? <Account of={holder} /> : UNKNOWN),
                  Stake: ({ stake }) => (stake ? <Amount of={stake} /> : UNKNOWN),
                  Weight: ({ weight }) => shareText(weight, cycle.total_weight),
                }}
                right={['Stake', 'Weight']}
                empty="The set is empty."
              />
              {isUntold && (
                <p class="dim after">
                  The index has no election of this round, and elections alone tell stakes and their holders. The validators of a chain’s
                  first block are not elected.
                </p>
              )}
            </Card>
          </>
        )
      }}
    </Loading>
  )
}

const Elections = () => {
  const answer = useCall((signal) => ton.v3.validators.elections({ limit: 10 }, { signal }), ['elections'])
  return (
    <Card title="Elections">
      <Loading of={answer}>
        {({ elections }) => (
          <Table
            label="Elections"
            of={elections}
            id={({ election_id }) => String(election_id)}
            columns={{
              Election: ({ election_id }) => <span class="mono">{election_id}</span>,
              Closes: ({ elect_close }) => <FullTime of={elect_close} />,
              Participants: ({ total_participants }) => groups(String(total_participants)),
              Stakes: ({ total_stake }) => <Amount of={total_stake} />,
              State: ({ failed, finished }) => {
                const [tone, text] = failed
                  ? (['bad', 'failed'] as const)
                  : finished
                    ? (['ok', 'finished'] as const)
                    : (['open', 'open'] as const)
                return <Badge tone={tone}>{text}</Badge>
              },
            }}
            right={['Participants', 'Stakes']}
            empty="There have been no elections yet."
          />
        )}
      </Loading>
    </Card>
  )
}

export const ValidatorsPage = () => (
  <>
    <Heading title="Validators" />
    <Current />
    <Elections />
  </>
)
