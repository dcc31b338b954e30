import { describe, expect, it } from 'vitest'
import { openapiChecker } from '../v2/openapi.ts'
import { differencesOf, isDocumented } from '../v3/openapi.ts'
import { CASES, readCases } from './case-file.ts'

/* Recorded answers beside TON Center's own documents: names and forms of all members. */

const results = readCases(CASES)
  .filter(({ over }) => over === undefined)
  .map(({ path, section, method, exchanges }) => ({ path, section, method, answer: JSON.parse(exchanges.at(-1)!.received[0]!) }))
  .filter(({ answer }) => 'result' in answer)

/** Where recorded answers differ from the documents on purpose, with the reason. */
const V2_EXCEPTIONS: Readonly<Record<string, string>> = {
  'getBlockTransactionsExt/result/transactions/N must NOT have additional properties': 'the account, as the running service has it',
  'getBlockTransactionsExt/result/transactions/N/@type must be equal to one of the allowed values':
    'raw.transactionExt, as the running service has it; the document lets nothing but raw.transaction be there',
  'getConsensusBlock/result/timestamp must be integer': 'a placeholder',
  'unpackAddress/result must be object': 'the running service answers a text',
}
const nulls = (model: string, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${model}.${name} null`, 'null where there is none, as the running service has it']))
const FINALITY = 'text, as the running service writes it; the document says integer by mistake'
const WITH_PROOFS = 'only for calls with proofs, which is a parameter of tonway'
const V3_EXCEPTIONS: Readonly<Record<string, string>> = {
  ...nulls('AccountState', 'account_status', 'balance', 'code_hash', 'data_hash', 'extra_currencies', 'frozen_hash'),
  ...nulls('AccountStateFull', 'contract_methods'),
  ...nulls('AddressBookRow', 'domain', 'interfaces', 'user_friendly'),
  ...nulls('DNSRecord', 'dns_next_resolver', 'dns_site_adnl', 'dns_storage_bag_id'),
  ...nulls('JettonBurn', 'custom_payload', 'decoded_custom_payload'),
  ...nulls('JettonTransfer', 'custom_payload', 'decoded_custom_payload'),
  ...nulls('Message', 'bounce', 'bounced', 'created_at', 'created_lt', 'decoded_opcode', 'extra_flags', 'fwd_fee', 'ihr_disabled'),
  ...nulls('Message', 'ihr_fee', 'import_fee', 'init_state', 'opcode', 'source', 'value', 'value_extra_currencies'),
  ...nulls('MessageContent', 'decoded'),
  ...nulls('MultisigOrder', 'actions'),
  ...nulls('NFTCollection', 'owner_address'),
  ...nulls('NFTItem', 'owner_address'),
  ...nulls('NFTTransfer', 'custom_payload', 'decoded_custom_payload', 'decoded_forward_payload', 'forward_payload'),
  ...nulls('OrderAction', 'error'),
  ...nulls('Transaction', 'in_msg'),
  ...nulls('V2AddressInformation', 'code', 'data', 'frozen_hash'),
  'AccountStatesResponse.proof unknown': WITH_PROOFS,
  'TransactionsResponse.proof unknown': WITH_PROOFS,
  'Action.finality enum {"allowedValues":[0,1,2]}': FINALITY,
  'Action.finality is string': FINALITY,
  'ActionsResponse.next_cursor unknown': 'only where a cursor was sent; newer than the document',
  'BlocksResponse.next_cursor unknown': 'only where a cursor was sent',
  'Message.opcode is string': 'hex, as the running service writes it',
  'OrderAction.body_raw is string': 'base64, as the running service writes it',
  'Transaction.finality enum {"allowedValues":[0,1,2]}': FINALITY,
  'Transaction.finality is string': FINALITY,
  'TransactionsResponse.blocks unknown': 'masterchainBlockShards answers blocks; the document names another model by mistake',
  'V2RunGetMethodRequest.exit_code unknown': 'the document gives the request as the answer',
  'V2RunGetMethodRequest.gas_used unknown': 'the document gives the request as the answer',
}

describe("recorded answers and TON Center's documents", () => {
  it('results of v2 have the forms of the document 2.1.1, except for the listed ones', () => {
    const check = openapiChecker()
    const found = results
      .filter(({ section }) => section === 'v2')
      .flatMap(({ method, answer }) =>
        (check(method, { ok: true, result: answer.result, '@extra': '1700000000:0:0.1' }) ?? []).map(
          (fault) => `${method}${fault.replace(/\/\d+/g, '/N')}`,
        ),
      )
    expect([...new Set(found)].sort()).toEqual(Object.keys(V2_EXCEPTIONS))
  })

  it('results of v3 have the forms of the document 1.2.6, except for the listed ones', () => {
    const answers = results
      .filter(({ section, method }) => section === 'v3' && method.startsWith('v3.'))
      .map(({ method, answer }) => [method.slice('v3.'.length).replaceAll('.', '/'), answer.result] as const)
    const undocumented = answers.map(([path]) => path).filter((path) => !isDocumented(path))
    expect([...new Set(undocumented)]).toEqual(['balanceChanges', 'blockProof', 'events'])
    expect(differencesOf(answers.filter(([path]) => isDocumented(path)))).toEqual(Object.keys(V3_EXCEPTIONS).sort())
  })
})
