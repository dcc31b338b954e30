import { useCall } from '../base/call.ts'
import { counted, groups, NO_END, shareText } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { Account } from '../parts/address.tsx'
import { Card, Facts, Heading, Loading, Table } from '../parts/layout.tsx'
import { Amount, Badge, FullTime, Hash } from '../parts/values.tsx'

const UNKNOWN = <span class="dim">not known</span>

const Current = () => {
  const answer = useCall((signal) => ton.v3.validators.cycles({ return_validators: true, limit: 1 }, { signal }), ['cycle'])
  return (
    <Loading of={answer} lines={6}>
      {({ cycles: [cycle] }) => {
        if (cycle === undefined)
          return (
            <Card title="Current round">
              <p class="empty">The index has seen no set of validators yet.</p>
            </Card>
          )
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
                head={['No.', 'Public key', 'ADNL address', 'Stake holder', 'Stake', 'Weight']}
                right={['Stake', 'Weight']}
                empty="The set is empty."
                rows={(cycle.validators ?? []).map((validator) => ({
                  key: validator.validator_pubkey,
                  cells: [
                    String(validator.validator_index + 1),
                    <Hash of={validator.validator_pubkey} />,
                    <Hash of={validator.adnl_addr} />,
                    validator.stake_holder_address ? <Account of={validator.stake_holder_address} /> : UNKNOWN,
                    validator.stake ? <Amount of={validator.stake} /> : UNKNOWN,
                    shareText(validator.weight, cycle.total_weight),
                  ],
                }))}
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
            head={['Election', 'Closes', 'Participants', 'Stakes', 'State']}
            right={['Participants', 'Stakes']}
            empty="There have been no elections yet."
            rows={elections.map((election) => ({
              key: String(election.election_id),
              cells: [
                <span class="mono">{election.election_id}</span>,
                <FullTime of={election.elect_close} />,
                groups(String(election.total_participants)),
                <Amount of={election.total_stake} />,
                election.failed ? (
                  <Badge tone="bad">failed</Badge>
                ) : election.finished ? (
                  <Badge tone="ok">finished</Badge>
                ) : (
                  <Badge tone="open">open</Badge>
                ),
              ],
            }))}
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
