import { useEffect } from 'preact/hooks'
import { friendlyOf, parseAddress } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { ton } from '../base/service.ts'
import { Account } from '../parts/address.tsx'
import { Copy, Copyable } from '../parts/copy.tsx'
import { Card, Loading, Table } from '../parts/layout.tsx'
import { Amount } from '../parts/values.tsx'
import { offer } from './fields.tsx'

/** The non-bounceable form of the address, as wallets show it. */
const walletForm = (address: string): string => {
  const parsed = parseAddress(address)
  return parsed ? friendlyOf(parsed, false) : address
}

/** Number of funded wallets that every embedded chain has. Their mnemonics are public. */
const PUBLIC = 2

export const Wallets = () => {
  const answer = useCall((signal) => ton.local.wallets({}, { signal }), ['wallets'], true)
  const { data } = answer
  useEffect(() => {
    for (const { address, version } of data?.wallets ?? []) offer(walletForm(address), `funded wallet ${version}`)
  }, [data])
  return (
    <Card
      title="Funded wallets"
      side={
        <span class="dim">
          {`test wallets: the words of ${(data?.wallets.length ?? 0) > PUBLIC ? 'the first two' : 'both'} are public, never use them elsewhere`}
        </span>
      }
    >
      <Loading of={answer}>
        {({ wallets }) => (
          <Table
            label="Funded wallets"
            of={wallets}
            id={({ address }) => address}
            columns={{
              Wallet: ({ address }) => (
                <Copyable text={walletForm(address)} what="Copy the address">
                  <Account of={walletForm(address)} withAddress />
                </Copyable>
              ),
              Version: ({ version }) => version,
              Balance: ({ balance }) => <Amount of={balance} />,
              Mnemonic: ({ mnemonic }) => (
                <details class="mnemonic">
                  <summary>24 words</summary>
                  <span class="mono wrap">{mnemonic.join(' ')}</span> <Copy text={mnemonic.join(' ')} what="Copy the mnemonic" />
                </details>
              ),
            }}
            right={['Balance']}
            empty="This chain has no funded wallets."
          />
        )}
      </Loading>
    </Card>
  )
}
