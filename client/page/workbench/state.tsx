import { useNow } from '../base/clock.ts'
import { utcMoment, utcOf } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { Account } from '../parts/address.tsx'
import { Form, optional } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { MasterBlockLink } from '../parts/values.tsx'
import { address, boc, coins, param, text } from './fields.tsx'
import { made } from './results.tsx'

export const SetAccount = () => (
  <Card title="Change an account">
    <Form
      button="Change the account"
      fields={{
        address: address('Account'),
        balance: optional(coins('Balance in GRAM')),
        code: optional(boc('Code, as a BoC in base64')),
        data: optional(boc('Data, as a BoC in base64')),
      }}
      act={async ({ address, ...parts }) => {
        if (Object.values(parts).every((part) => part === undefined)) throw new Error('Give a balance, code or data.')
        const { block } = await ton.local.setAccount({ address, ...parts })
        return (
          <>
            <Account of={address} /> {made('changed in block', <MasterBlockLink seqno={block.seqno} />)}
          </>
        )
      }}
    />
  </Card>
)

const setParam = async (number: string, boc: string | null) => {
  const { block } = await ton.local.setConfig({ params: { [number]: boc } })
  return made(`${boc === null ? 'Removed' : 'Set'} before block`, <MasterBlockLink seqno={block.seqno} />)
}

export const SetConfig = () => (
  <Card title="Change the configuration">
    <Form
      button="Change the parameter"
      fields={{ number: param('Parameter'), value: boc('Value, as a BoC in base64', { hint: 'Known parameters are checked.' }) }}
      act={async ({ number, value }) => {
        if (value === '') throw new Error('Give the new value. “Remove” removes a parameter.')
        return setParam(number, value)
      }}
    />
    <hr />
    <Form
      button="Remove"
      dangerous
      fields={{ number: param('Parameter to remove', { hint: 'Removing a parameter that the chain needs can stop it.' }) }}
      act={({ number }) => setParam(number, null)}
    />
  </Card>
)

const HOUR = 3_600

export const SetTime = () => {
  const nextHour = useNow((now) => now - (now % HOUR) + HOUR)
  const placeholder = utcMoment(nextHour).replace(' UTC', '')
  return (
    <Form
      button="Set the time"
      fields={{ time: text('Chain time, in UTC', { placeholder, hint: 'Not before the last block.' }) }}
      act={async ({ time }) => {
        const utime = utcOf(time)
        if (utime === undefined) throw new Error('The time has to be written in UTC as 2026-11-23 08:00:00.')
        return `The chain’s time is ${utcMoment((await ton.local.setTime({ utime })).utime)}`
      }}
    />
  )
}
