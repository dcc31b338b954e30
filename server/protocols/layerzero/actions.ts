import type { Values } from '../../actions/action.ts'
import { data, datum, type Fields, jsonNumber, object } from '../../actions/details.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, kind, named, optional } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { loadPacket, loadSendCallback, loadVerification } from './messages.ts'

/* LayerZero: packets that applications send to other chains and receive from them. */

const EVENT = 0xe33b9873
const ENDPOINT_SEND = 0xdd4ea3b4
const CHANNEL_SEND = 0x536feb09
const MSGLIB_SEND = 0x4002b790
const ULN_SEND = 0x5de68393
const MSGLIB_SEND_CALLBACK = 0x421c1a25
const CHANNEL_SEND_CALLBACK = 0xa2b5fbae
const RECEIVE_PREPARE = 0x22f3ac09
const OAPP_RECEIVE_PREPARE = 0x97df404c
const RECEIVE_LOCK = 0xb7680bc6
const RECEIVE_EXECUTE = 0x0c7b8418
const EXECUTE_CALLBACK = 0xcaae25a1
const ULN_COMMIT = 0x28b97077
const ULN_CONNECTION_COMMIT = 0xf9d37b80
const ENDPOINT_COMMIT = 0x5dab749a
const CHANNEL_COMMIT = 0x5388cd88
const COMMIT_CALLBACK = 0x5e178f33
const DVN_VERIFY = 0xa0d51a8d
const PROXY_CALL = 0x09f047d9
const ULN_VERIFY = 0x994aaf4e
const ULN_CONNECTION_VERIFY = 0x4ec8f80a
const VERIFY_CALLBACK = 0x3cb38090

const SENT = 'layerzero_send'

const change = optional(kind(TRANSFER))
const event = optional(call(EVENT))

const sendReported = named('callback', call(CHANNEL_SEND_CALLBACK, { all: [event, change] }))
const handledByLibrary = call(MSGLIB_SEND_CALLBACK, { all: [call(EVENT), change, change, change, change, change, sendReported] })
const handedToUln = named('uln', call(ULN_SEND, { each: handledByLibrary }))

/** An application hands a packet to its endpoint, and a callback reports what was sent. */
const layerzeroSend: Matcher = {
  at: [ENDPOINT_SEND],
  around: { each: named('channel', call(CHANNEL_SEND, { each: call(MSGLIB_SEND, { each: handedToUln }) })) },
  build(step, found, run) {
    const { send, packet } = loadSendCallback(found.get('callback')!)
    const uln = found.get('uln')!.destination
    const channel = found.get('channel')!.destination
    const data: Values = { ...send, uln, endpoint: step.destination, channel, ...packet }
    run.group(SENT, [step, ...found.steps], { source: step.source, data }, { info: data })
  },
}

/** A packet that was sent with jettons. The jettons stay with the application. */
const layerzeroSendTokens: Matcher = {
  at: [SENT],
  around: { before: named('given', kind(TRANSFERRED, { each: call(EVENT) })) },
  build(step, found, run) {
    const { sender, senderWallet, receiver, receiverWallet, jetton, amount } = transferOf(found.get('given')!)
    run.group('layerzero_send_tokens', [step, ...found.steps], {
      source: sender,
      sourceSecondary: senderWallet,
      destination: receiver,
      destinationSecondary: receiverWallet,
      asset: jetton,
      amount,
      data: step.info as Values,
    })
  },
}

/** Ids are compared as numbers, because packets show ids without leading zeros. */
const isApplication = (dst_oapp: string, address: Address | null): boolean =>
  address !== null && BigInt(`0x${address.slice(address.indexOf(':') + 1)}`) === BigInt(dst_oapp)

const executed = named('execute', call(RECEIVE_EXECUTE, { all: [event, call(EXECUTE_CALLBACK, { all: [event, change] })] }))

const layerzeroReceive: Matcher = {
  at: [RECEIVE_PREPARE],
  around: { all: [change, call(OAPP_RECEIVE_PREPARE, { each: call(RECEIVE_LOCK, { each: executed }) })] },
  build(step, found, run) {
    const execute = found.get('execute')!
    const packet = loadPacket(execute.body.ref(0).ref(0))
    if (!isApplication(packet.dst_oapp, execute.destination)) return
    run.group('layerzero_receive', [step, ...found.steps], {
      source: step.source,
      destination: execute.destination,
      destinationSecondary: execute.source,
      data: packet,
    })
  },
}

const commitReported = optional(named('msglib', call(COMMIT_CALLBACK, { each: change })))
const channelCommitted = named('channel', call(CHANNEL_COMMIT, { all: [event, commitReported] }))
const endpointCommitted = named('endpoint', call(ENDPOINT_COMMIT, { each: channelCommitted }))

const layerzeroCommit: Matcher = {
  at: [ULN_COMMIT],
  around: { each: named('connection', call(ULN_CONNECTION_COMMIT, { each: endpointCommitted })) },
  build(step, found, run) {
    const msglib = found.get('msglib')
    if (msglib === undefined) return
    const channel = found.get('channel')!
    const connection = found.get('connection')!.destination
    run.group('layerzero_commit_packet', [step, ...found.steps], {
      source: step.source,
      sourceSecondary: found.get('endpoint')!.destination,
      destination: connection,
      destinationSecondary: connection,
      asset: channel.destination,
      assetSecondary: msglib.destination,
      data: loadPacket(channel.body.ref(0).ref(0)),
    })
  },
}

const verificationReported = optional(named('callback', call(VERIFY_CALLBACK, { each: change })))
const connectionVerified = named('connection', call(ULN_CONNECTION_VERIFY, { all: [event, verificationReported] }))
const ulnVerified = named('uln', call(ULN_VERIFY, { each: connectionVerified }))

const layerzeroVerify: Matcher = {
  at: [DVN_VERIFY],
  around: { each: named('proxy', call(PROXY_CALL, { each: ulnVerified })) },
  build(step, found, run) {
    const callback = found.get('callback')
    if (callback === undefined) return
    run.group('layerzero_dvn_verify', [step, ...found.steps], {
      source: step.source,
      data: {
        ...loadVerification(callback),
        dvn: step.destination,
        proxy: found.get('proxy')!.destination,
        uln: found.get('uln')!.destination,
        uln_connection: found.get('connection')!.destination,
      },
    })
  },
}

const SEND_DATA = object({
  send_request_id: jsonNumber(datum),
  ...data('msglib_manager', 'msglib', 'uln'),
  native_fee: jsonNumber(datum),
  zro_fee: jsonNumber(datum),
  endpoint: datum,
  channel: datum,
})
const PACKET_DATA = object({
  src_oapp: datum,
  dst_oapp: datum,
  src_eid: jsonNumber(datum),
  dst_eid: jsonNumber(datum),
  nonce: jsonNumber(datum),
  guid: datum,
  message: datum,
})
const SENT_DATA: Fields = { layerzero_send_data: SEND_DATA, layerzero_packet_data: PACKET_DATA }

const ACTION = { since: 3, shortcuts: ['layerzero'] } as const

export const layerzero: Protocol = {
  matchers: { operations: [layerzeroSend, layerzeroSendTokens, layerzeroReceive, layerzeroCommit, layerzeroVerify] },
  actions: {
    layerzero_send: { ...ACTION, details: { initiator: 'source', ...SENT_DATA } },
    layerzero_send_tokens: {
      ...ACTION,
      details: {
        sender: 'source',
        sender_wallet: 'sourceSecondary',
        oapp: 'destination',
        oapp_wallet: 'destinationSecondary',
        asset: 'asset',
        amount: 'amount',
        ...SENT_DATA,
      },
    },
    layerzero_receive: {
      ...ACTION,
      details: { sender: 'source', oapp: 'destination', channel: 'destinationSecondary', layerzero_packet_data: PACKET_DATA },
    },
    layerzero_commit_packet: {
      ...ACTION,
      details: {
        sender: 'source',
        endpoint: 'sourceSecondary',
        uln: 'destination',
        uln_connection: 'destinationSecondary',
        channel: 'asset',
        msglib_connection: 'assetSecondary',
        layerzero_packet_data: PACKET_DATA,
      },
    },
    layerzero_dvn_verify: {
      ...ACTION,
      details: { initiator: 'source', nonce: jsonNumber(datum), ...data('status', 'dvn', 'proxy', 'uln', 'uln_connection') },
    },
  },
}
