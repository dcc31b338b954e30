import { createHash } from 'node:crypto'
import { systemClock } from '../../../server/base/clock.ts'
import { silentLog } from '../../../server/base/log.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { createKey } from '../../../server/chain/adnl/keys.ts'
import { type Endpoint, startEndpoint } from '../../../server/chain/endpoint/server.ts'
import { createLiteClient, type LiteClient } from '../../../server/chain/lite/client.ts'
import { createLocalChain } from '../../../server/chain/local/create.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import type { AccountInput } from '../../../server/chain/local/model.ts'
import { createLiteTl } from '../../../server/chain/tl/lite-queries.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import { createTvm } from '../../../server/tvm/create.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'

/** An account of its own, at the same place in every run. */
export const accountAt = (n: number): AccountId => ({
  workchain: 0,
  hash: new Uint8Array(createHash('sha256').update(`account ${n}`).digest()),
})

/** Code and data, as large as a wallet's. */
const cellsAt = (n: number): { readonly code: Cell; readonly data: Cell } => ({
  code: beginCell()
    .storeBytes(new Uint8Array(100).fill(1))
    .storeRef(beginCell().storeBytes(new Uint8Array(120)).end())
    .end(),
  data: beginCell().storeUint(0, 64).storeBytes(accountAt(n).hash).storeBit(0).end(),
})

/** The same as local.setAccount takes them. */
export const contractAt = (n: number): { readonly code: string; readonly data: string } => {
  const { code, data } = cellsAt(n)
  const boc = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
  return { code: boc(code), data: boc(data) }
}

const inputAt = (n: number): AccountInput => ({ account: accountAt(n), balance: 1_000_000_000n + BigInt(n), ...cellsAt(n) })

export interface ServedChain {
  readonly tvm: Tvm
  readonly local: LocalChain
  readonly endpoint: Endpoint
  readonly client: LiteClient
  close(): Promise<void>
}

/** An embedded chain with so many accounts, a few blocks old, served over ADNL to a client. */
export const serveChain = async (accounts: number): Promise<ServedChain> => {
  const tvm = createTvm({ workers: 1 })
  const options = { blockTimeMs: 0, globalId: -3, accounts: Array.from({ length: accounts }, (_, n) => inputAt(n)) }
  const local = await createLocalChain(options, { tvm, log: silentLog, clock: systemClock })
  await local.control.mine(3, new AbortController().signal)
  const key = createKey()
  const endpoint = await startEndpoint(local, { host: '127.0.0.1', port: 0, key }, { log: silentLog })
  const client = createLiteClient({ ...endpoint, key: key.publicKey }, { tl: createLiteTl(), onChange: () => undefined })
  return {
    tvm,
    local,
    endpoint,
    client,
    async close() {
      client.close()
      await endpoint.close()
      await local.close()
      await tvm.close()
    },
  }
}
