import { useState } from 'preact/hooks'
import { moment } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { Account } from '../parts/address.tsx'
import { Act, Field } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { MasterBlockLink } from '../parts/values.tsx'
import { AddressField, typedAddress } from './address-field.tsx'
import { typedCoins } from './wallets.tsx'

/* Controls that only the embedded chain has: they set accounts, the configuration and the time. */

/** Replaces parts of an account. Fields that are empty stay as they are. */
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
        <Field label="Balance in TON" value={balance} change={setBalance} mode="decimal" optional />
        <Field label="Code, as a BoC in base64" value={code} change={setCode} placeholder="te6cck…" optional />
        <Field label="Data, as a BoC in base64" value={data} change={setData} placeholder="te6cck…" optional />
      </Act>
    </Card>
  )
}

/** The number of a parameter that somebody typed. Throws an Error whose message is for the user. */
const typedParam = (text: string): string => {
  const number = text.trim()
  if (!/^-?\d{1,10}$/.test(number)) throw new Error('The parameter has to be a whole number.')
  return number
}

/** Replaces or removes a configuration parameter. */
export const SetConfig = () => {
  const [param, setParam] = useState('')
  const [cell, setCell] = useState('')
  const [removed, setRemoved] = useState('')
  /** Sets a parameter; null removes it. */
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
        <Field
          label="Value, as a BoC in base64"
          value={cell}
          change={setCell}
          placeholder="te6cck…"
          hint="Values of parameters that block.tlb defines are checked."
        />
      </Act>
      <hr />
      <Act button="Remove" quiet act={async () => change(typedParam(removed), null)}>
        <Field label="Parameter to remove" value={removed} change={setRemoved} placeholder="17" />
      </Act>
    </Card>
  )
}

/** Sets the time of the next block. */
export const SetTime = () => {
  const [text, setText] = useState('')
  return (
    <Act
      button="Set the time"
      act={async () => {
        const utime = Math.floor(new Date(text).getTime() / 1000)
        // A date alone would be read as UTC.
        if (!text.includes('T') || !Number.isFinite(utime)) throw new Error('Choose a date and a time.')
        return `The next block is made at ${moment((await ton.local.setTime({ utime })).utime)}`
      }}
    >
      <Field label="Time of the next block" value={text} change={setText} mode="time" hint="In your time zone." />
    </Act>
  )
}
