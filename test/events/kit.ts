import { Address, beginCell, comment, external, internal, SendMode, storeMessage } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { createRandom, seed } from '../kit/random.ts'
import { type Line, openLine, rpcRequest } from '../kit/service/client.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import type { TonwayOptions } from '../kit/service/tonway.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'

/* A service with its index, a wallet that sends, and readers of events. */

export interface Event {
  readonly type: string
  readonly finality?: string
  readonly trace_external_hash_norm?: string
  readonly account?: string
  readonly cursor?: string
  readonly seqno?: number
  readonly state?: { readonly hash: string; readonly balance: string; readonly account_status: string }
  readonly transactions?: readonly { readonly account: string; readonly lt: string; readonly hash: string }[]
  readonly actions?: readonly { readonly action_id: string; readonly type: string; readonly accounts: readonly string[] }[]
  readonly [name: string]: unknown
}

const addresses = createRandom(seed)

/** An address of its own. */
export const stranger = (): Address => new Address(0, Buffer.from(addresses.bytes(32)))

/** Keys of a funded wallet. */
interface Funded {
  readonly keys: { readonly publicKey: Buffer; readonly secretKey: Buffer }
}

export interface Sender {
  readonly address: Address
  readonly raw: string
  /** Sends coins to these accounts in one message, and mines. Resolves with the hash of the message (not normalized). */
  send(to: readonly Address[], text?: string): Promise<string>
  /** The seqno of the wallet's next message is this one again, after a revert. */
  rewind(seqno: number): void
  seqno(): number
}

export const createSender = async (service: Pick<V3Service, 'call' | 'settle'> & { faucet(): Promise<Funded> }): Promise<Sender> => {
  const { keys } = await service.faucet()
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  let seqno = 0
  return {
    address: wallet.address,
    raw: rawOf(wallet.address),
    rewind(to) {
      seqno = to
    },
    seqno: () => seqno,
    async send(to, text = 'hello') {
      const messages = to.map((each) => internal({ to: each, value: '0.05', bounce: false, body: comment(text) }))
      const order = { seqno: seqno++, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, timeout: 0xffffffff, messages }
      const message = external({ to: wallet.address, body: wallet.createTransfer(order) })
      const cell = beginCell().store(storeMessage(message)).endCell()
      await service.call('sendBoc', { boc: cell.toBoc().toString('base64') })
      await service.settle()
      return cell.hash().toString('base64')
    },
  }
}

export const startEvents = async (options: TonwayOptions = {}) => {
  const service = await startV3(options)
  await service.settle()
  return { service, sender: await createSender(service) }
}

/** Events of one subscription over JSON-RPC. */
export interface RpcReader {
  readonly events: Event[]
  readonly line: Line
  readonly id: string
  of(type: string): Event[]
  close(): void
}

interface Notification {
  readonly method?: string
  readonly params?: { readonly subscription: string; readonly result: Event }
}

/** Subscribes on a socket of its own, and collects what is told. */
export const readRpc = async (wsUrl: string, params: object): Promise<RpcReader> => {
  const line = await openLine(wsUrl)
  const reply = (await line.ask(rpcRequest('subscribe', params))) as { result?: string; error?: { message: string } }
  if (reply.result === undefined) throw new Error(reply.error?.message)
  const events: Event[] = []
  const take = (value: unknown): void => {
    const { params: told } = value as Notification
    if (told) events.push(told.result)
  }
  for (const value of line.waiting) take(value)
  line.socket.on('message', (data) => take(JSON.parse(String(data))))
  await until(() => events.length > 0)
  return {
    events,
    line,
    id: reply.result,
    of: (type) => events.filter((event) => event.type === type),
    close: () => line.socket.terminate(),
  }
}
