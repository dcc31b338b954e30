import { useState } from 'preact/hooks'
import { useNow } from '../base/clock.ts'
import { utcMoment, utcOf } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { Account } from '../parts/address.tsx'
import { Act, Field } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { MasterBlockLink } from '../parts/values.tsx'
import { AddressField, typedAddress } from './address-field.tsx'
import { typedCoins } from './wallets.tsx'

export const SetAccount = () => {
  const [address, setAddress] = useState('')
  const [balance, setBalance] = useState('')
  const [code, setCode] = useState('')
  const [data, setData] = useState('')
  return (
    <Card title="Change an account">
      <Act
        button="Change the account"
        act={async () => {
          const target = typedAddress(address)
          if ([balance, code, data].every((text) => text.trim() === '')) throw new Error('Give a balance, code or data.')
          const { block } = await ton.local.setAccount({
            address: target,
            ...(balance.trim() !== '' && { balance: typedCoins(balance) }),
            ...(code.trim() !== '' && { code: code.trim() }),
            ...(data.trim() !== '' && { data: data.trim() }),
          })
          return (
            <>
              <Account of={target} /> changed in block <MasterBlockLink seqno={block.seqno} />
            </>
          )
        }}
      >
        <AddressField label="Account" value={address} change={setAddress} />
        <Field label="Balance in GRAM" value={balance} change={setBalance} mode="decimal" optional />
        <Field label="Code, as a BoC in base64" value={code} change={setCode} placeholder="te6cck…" optional />
        <Field label="Data, as a BoC in base64" value={data} change={setData} placeholder="te6cck…" optional />
      </Act>
    </Card>
  )
}

/** Throws an Error whose message is for the user. */
const typedParam = (text: string): string => {
  const number = text.trim()
  if (!/^-?\d{1,10}$/.test(number)) throw new Error('The parameter has to be a whole number.')
  return number
}

export const SetConfig = () => {
  const [param, setParam] = useState('')
  const [cell, setCell] = useState('')
  const [removed, setRemoved] = useState('')
  const change = async (number: string, boc: string | null) => {
    const { block } = await ton.local.setConfig({ params: { [number]: boc } })
    return (
      <>
        {boc === null ? 'Removed' : 'Set'} before block <MasterBlockLink seqno={block.seqno} />
      </>
    )
  }
  return (
    <Card title="Change the configuration">
      <Act
        button="Change the parameter"
        act={async () => {
          const number = typedParam(param)
          const boc = cell.trim()
          if (boc === '') throw new Error('Give the new value. “Remove” removes a parameter.')
          return change(number, boc)
        }}
      >
        <Field label="Parameter" value={param} change={setParam} placeholder="17" />
        <Field label="Value, as a BoC in base64" value={cell} change={setCell} placeholder="te6cck…" hint="Known parameters are checked." />
      </Act>
      <hr />
      <Act button="Remove" dangerous act={async () => change(typedParam(removed), null)}>
        <Field
          label="Parameter to remove"
          value={removed}
          change={setRemoved}
          placeholder="17"
          hint="Removing a parameter that the chain needs can stop it."
        />
      </Act>
    </Card>
  )
}

const HOUR = 3_600

export const SetTime = () => {
  const [text, setText] = useState('')
  const nextHour = useNow((now) => now - (now % HOUR) + HOUR)
  return (
    <Act
      button="Set the time"
      act={async () => {
        const typed = utcOf(text)
        if (typed === undefined) throw new Error('The time has to be written in UTC as 2026-11-23 08:00:00.')
        return `The next block is made at ${utcMoment((await ton.local.setTime({ utime: typed })).utime)}`
      }}
    >
      <Field
        label="Chain time of the next block, in UTC"
        value={text}
        change={setText}
        placeholder={utcMoment(nextHour).replace(' UTC', '')}
        hint="Not before the last block."
      />
    </Act>
  )
}
