import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { sleep } from '../kit/wait.ts'
import { differences, maxima, unknownParameters, untold } from './openapi.ts'
import { playScene, rawOf, type Scene, STRANGER } from './scene.ts'

/* Answers of the service held against TON Center's own document. */

const NULLS = 'null where there is none: the running service has it, the document knows no null (v3.md 1.6, 4)'
const nulls = (model: string, ...names: readonly string[]) => Object.fromEntries(names.map((name) => [`${model}.${name} null`, NULLS]))

const FINALITY = 'text, as the running service writes it; the document says integer by mistake'

/** Where answers differ from the document on purpose, with the reason. Written on 2026-11-20. */
const DIFFERENT: Readonly<Record<string, string>> = {
  ...nulls('AccountState', 'account_status', 'balance', 'code_hash', 'data_hash', 'extra_currencies', 'frozen_hash'),
  ...nulls('AccountStateFull', 'contract_methods'),
  'Action.finality enum {"allowedValues":[0,1,2]}': FINALITY,
  'Action.finality is string': FINALITY,
  ...nulls('AddressBookRow', 'domain', 'interfaces'),
  ...nulls(
    'Message',
    'bounce',
    'bounced',
    'created_at',
    'created_lt',
    'decoded_opcode',
    'extra_flags',
    'fwd_fee',
    'ihr_disabled',
    'ihr_fee',
  ),
  ...nulls('Message', 'import_fee', 'init_state', 'opcode', 'source', 'value', 'value_extra_currencies'),
  ...nulls('MessageContent', 'decoded'),
  ...nulls('V2AddressInformation', 'frozen_hash'),
  'Message.opcode is string': 'the running service writes hex (v3.md 4, clients.md 0.11)',
  'Transaction.finality enum {"allowedValues":[0,1,2]}': FINALITY,
  'Transaction.finality is string': FINALITY,
  'TransactionsResponse.blocks unknown': 'masterchainBlockShards answers blocks; the document names the wrong model (v3.md 11.20)',
  'V2RunGetMethodRequest.exit_code unknown': 'the document gives the request as the answer',
  'V2RunGetMethodRequest.gas_used unknown': 'the document gives the request as the answer',
}

const NOT_HERE = 'nothing in this history has it'
/** Members that no answer of this test tells, with the reason. */
const UNTOLD: Readonly<Record<string, string>> = {
  'AccountState.code_boc': 'left out by the running service as well (v3.md 4)',
  'AccountState.data_boc': 'left out by the running service as well (v3.md 4)',
  'AccountStateFull.frozen_hash': NOT_HERE,
  'ActionPhase.result_arg': NOT_HERE,
  'BouncePhase.req_fwd_fees': NOT_HERE,
  'ComputePhase.exit_arg': NOT_HERE,
  'CreditPhase.credit_extra_currencies': NOT_HERE,
  'CreditPhase.due_fees_collected': NOT_HERE,
  'StoragePhase.storage_fees_due': NOT_HERE,
  'Trace.warning': NOT_HERE,
  'TraceNode.in_msg': 'unused in lists: the transactions stand beside the tree (v3.md 4)',
  'TraceNode.transaction': 'unused in lists: the transactions stand beside the tree (v3.md 4)',
  'TransactionDescr.installed': NOT_HERE,
  'TransactionDescr.is_tock': NOT_HERE,
  'TransactionDescr.split_info': NOT_HERE,
  'V2RunGetMethodRequest.address': 'the document gives the request as the answer',
  'V2RunGetMethodRequest.method': 'the document gives the request as the answer',
  'WalletState.is_signature_allowed': 'of v5 wallets only',
}

describe('conformance to v3.openapi.yaml', () => {
  let service: V3Service
  let scene: Scene
  let answers: Record<string, unknown>
  beforeAll(async () => {
    service = await startV3()
    scene = await playScene(service)
    const me = rawOf(scene.wallet.address)
    const queries: Record<string, string> = {
      masterchainInfo: '',
      blocks: 'limit=50',
      masterchainBlockShardState: 'seqno=3',
      masterchainBlockShards: 'seqno=3',
      transactions: 'limit=200',
      transactionsByMasterchainBlock: 'seqno=2',
      transactionsByMessage: 'opcode=0',
      messages: 'limit=200',
      accountStates: `address=${me}&address=${rawOf(STRANGER)}`,
      walletStates: `address=${me}&address=${rawOf(STRANGER)}`,
      addressBook: `address=${me}`,
      metadata: `address=${me}`,
      topAccountsByBalance: '',
      traces: 'limit=50&include_actions=true',
      actions: 'limit=50&include_accounts=true&include_transactions=true',
      decode: 'opcodes=0x0f8a7ea5&opcodes=1&bodies=te6cckEBAQEAAgAAAEysuc0=&bodies=zz',
      pendingTraces: `account=${me}`,
      pendingActions: `account=${me}`,
      addressInformation: `address=${me}`,
      walletInformation: `address=${me}`,
    }
    answers = {}
    /** The answer, asked again while a busy service refuses (503). */
    const ask = async (path: string, query: string): Promise<unknown> => {
      let answer = await service.get(`${path}?${query}`)
      for (let tries = 0; answer.status === 503 && tries < 20; tries++) {
        await sleep(500)
        answer = await service.get(`${path}?${query}`)
      }
      expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
      return answer.body
    }
    for (const [path, query] of Object.entries(queries)) answers[path] = await ask(path, query)
    const { traces } = (await ask('traces', `account=${me}&limit=1`)) as { traces: { trace_id: string }[] }
    answers['adjacentTransactions'] = await ask('adjacentTransactions', `hash=${encodeURIComponent(traces[0]!.trace_id)}`)
    answers['estimateFee'] = (await service.post('estimateFee', { address: me, body: 'te6cckEBAQEAAgAAAEysuc0=' })).body
    const boc = scene.order([]).toBoc().toString('base64')
    answers['message'] = (await service.post('message', { boc })).body
    answers['runGetMethod'] = (await service.post('runGetMethod', { address: me, method: 'seqno', stack: [] })).body
  })
  afterAll(() => service?.close())

  it('answers differ from v3.openapi.yaml only where it is listed: members, types, nulls', () =>
    expect(differences(answers)).toEqual(Object.keys(DIFFERENT).sort()))

  it('every member of every model is in some answer, except for the listed ones', () =>
    expect(untold(answers)).toEqual(Object.keys(UNTOLD).sort()))

  it('the parameters of every operation here are those of the document', () => {
    for (const path of Object.keys(answers)) expect(unknownParameters(path), path).toEqual([])
  })

  it('every list has as many rows as the document says', () => {
    const said = maxima()
    expect(said.length).toBeGreaterThan(20)
    expect(said.filter(([, , theirs, ours]) => theirs !== ours)).toEqual([])
  })
})
