import { useState } from 'preact/hooks'
import { moment } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { Act, Field } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { Account, BlockLink } from '../parts/values.tsx'
import { typedAddress, typedCoins } from './wallets.tsx'

/* What only a chain of one's own allows: accounts, the configuration and the time as one wants them. */

const FULL_SHARD = '8000000000000000'

/** Replaces parts of an account. Fields that are empty stay as they are. */
export const SetAccount = () => {
  const [address, setAddress] = useState('')
  const [balance, setBalance] = useState('')
  const [code, setCode] = useState('')
  const [data, setData] = useState('')
  return (
    <Card title="Change an account">
      <Act
        button="Change"
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
              <Account of={target} /> changed in block <BlockLink workchain={-1} shard={FULL_SHARD} seqno={block.seqno} />
            </>
          )
        }}
      >
        <Field label="Account" value={address} change={setAddress} placeholder="EQ…" />
        <Field label="Balance in TON" value={balance} change={setBalance} mode="decimal" optional />
        <Field label="Code, as a BoC in base64" value={code} change={setCode} placeholder="te6cck…" optional />
        <Field label="Data, as a BoC in base64" value={data} change={setData} placeholder="te6cck…" optional />
      </Act>
    </Card>
  )
}

/** Replaces or removes a configuration parameter. */
export const SetConfig = () => {
  const [param, setParam] = useState('')
  const [cell, setCell] = useState('')
  return (
    <Card title="Change the configuration">
      <Act
        button="Change"
        act={async () => {
          const number = param.trim()
          if (!/^-?\d{1,10}$/.test(number)) throw new Error('The parameter has to be a whole number.')
          const boc = cell.trim()
          const { block } = await ton.local.setConfig({ params: { [number]: boc === '' ? null : boc } })
          return (
            <>
              {boc === '' ? 'Removed' : 'Set'} before block <BlockLink workchain={-1} shard={FULL_SHARD} seqno={block.seqno} />
            </>
          )
        }}
      >
        <Field label="Parameter" value={param} change={setParam} mode="text" placeholder="17" />
        <Field
          label="Value, as a BoC in base64"
          value={cell}
          change={setCell}
          placeholder="te6cck…"
          hint="Without a value the parameter is removed. A value is checked against the schema."
          optional
        />
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
        if (!Number.isFinite(utime)) throw new Error('This is not a time, such as 2036-01-01 12:00.')
        return `The next block is made at ${moment((await ton.local.setTime({ utime })).utime)}`
      }}
    >
      <Field label="Time of the next block" value={text} change={setText} placeholder="2036-01-01 12:00" hint="In your time zone." />
    </Act>
  )
}
