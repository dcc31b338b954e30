// What a tool reads, as plain values that two tools can agree on: hashes in hexadecimal, cells by their hash, addresses raw, 64-bit numbers as text.
import { Address, Cell } from '@ton/core'
import { WHOLE } from './scene.mjs'
import { v2 } from './service.mjs'

const hex = (base64) => Buffer.from(base64, 'base64').toString('hex')
const cell = (base64) => (base64 === '' ? '' : Cell.fromBase64(base64).hash().toString('hex'))
/** tonlib wraps addresses, and writes the absent one as an empty text. */
const raw = (address) => {
  const text = typeof address === 'string' ? address : (address?.account_address ?? '')
  return text === '' ? '' : Address.parse(text).toRawString()
}
const last = ({ lt, hash }) => ({ lt, hash: hex(hash) })
const block = ({ workchain, shard, seqno, root_hash: root, file_hash: file }) => ({
  workchain,
  shard,
  seqno,
  root: hex(root),
  file: hex(file),
})
/** The members of a header that are no part of what the tools agree on: flags and vert_seqno are tonlib's alone. */
const NOT_HEADER = new Set(['@type', '@extra', 'flags', 'vert_seqno', 'id', 'prev_blocks'])
const header = (answer) => ({
  ...Object.fromEntries(Object.entries(answer).filter(([name]) => !NOT_HEADER.has(name))),
  id: block(answer.id),
  prev: answer.prev_blocks.map(({ seqno, root_hash: root, file_hash: file }) => ({ seqno, root: hex(root), file: hex(file) })),
})
const account = (answer) => ({
  state: answer.state,
  balance: String(answer.balance),
  code: cell(answer.code),
  data: cell(answer.data),
  frozen: answer.frozen_hash === '' ? '' : hex(answer.frozen_hash),
  last: last(answer.last_transaction_id),
  block: answer.block_id.seqno,
  time: answer.sync_utime,
})
const message = (each) => ({
  ...{ source: raw(each.source), destination: raw(each.destination), value: each.value, created_lt: each.created_lt },
  ...{ fwd_fee: each.fwd_fee, ihr_fee: each.ihr_fee, body: hex(each.body_hash) },
})
const transaction = (each) => ({
  ...last(each.transaction_id),
  ...{ account: raw(each.address), time: each.utime, fee: each.fee, storage_fee: each.storage_fee, data: cell(each.data) },
  in: each.in_msg ? message(each.in_msg) : null,
  out: each.out_msgs.map(message),
})
const short = ({ account: of, lt, hash }) => ({ account: of.includes(':') ? of.split(':')[1].toLowerCase() : hex(of), lt, hash: hex(hash) })

/** An entry of a stack in tonlib's form. */
const entry = (each) => {
  if (each.number) return each.number.number
  if (each.cell) return { cell: cell(each.cell.bytes) }
  if (each.slice) return { slice: cell(each.slice.bytes) }
  const { elements } = each.tuple ?? each.list
  return elements.map(entry)
}
const run = ({ exit_code: exit, stack }) => ({ exit, stack: exit === 0 ? stack.map(entry) : [] })

const each = (record, change) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

/** Answers in the shapes of TON Center and tonlib, as facts; a part that a tool has no call for is left out. */
export const factsOf = ({ blocks, headers, shards, transactionsOf, accounts, transactions, runs, config, proof, signatures }) => ({
  blocks: each(blocks, block),
  headers: each(headers, header),
  shards: shards.shards.map(block),
  block_transactions: each(transactionsOf, (answer) => answer.transactions.map(short)),
  accounts: each(accounts, account),
  transactions: each(transactions, (answer) => answer.map(transaction)),
  runs: each(runs, run),
  config: each(config, ({ config: { bytes } }) => cell(bytes)),
  proof: { master: block(proof.mc_id), links: proof.links.map((link) => ({ id: block(link.id), proof: cell(link.proof) })) },
  signatures: signatures.signatures.map(({ node_id_short: node, signature }) => ({ node: hex(node), signature: hex(signature) })),
})

const both = async (record, ask) =>
  Object.fromEntries(await Promise.all(Object.entries(record).map(async ([name, value]) => [name, await ask(value, name)])))

/** What the service itself answers of a scene (scene.mjs), every answer at its block. */
export const ownFacts = async (url, { seqno, blocks, accounts, runs, config: ids, lt, time }) => {
  const ask = (method, params) => v2(url, method, params)
  const master = { workchain: -1, shard: WHOLE }
  const at = ({ workchain, shard, seqno: of }) => ({ workchain, shard, seqno: of })
  const states = await both(accounts, (address) => ask('getAddressInformation', { address, seqno }))
  const past = Object.entries(states).filter(([, state]) => state.last_transaction_id.lt !== '0')
  return factsOf({
    blocks: {
      ...(await both(blocks, (id) => ask('lookupBlock', at(id)))),
      byLt: await ask('lookupBlock', { ...master, lt }),
      byTime: await ask('lookupBlock', { ...master, unixtime: time }),
    },
    headers: await both(blocks, (id) => ask('getBlockHeader', at(id))),
    shards: await ask('shards', { seqno }),
    transactionsOf: await both(blocks, (id) => ask('getBlockTransactions', { ...at(id), count: 1000 })),
    accounts: states,
    transactions: await both(Object.fromEntries(past), ({ last_transaction_id: { lt: from, hash } }, name) =>
      ask('getTransactions', { address: accounts[name], lt: from, hash, limit: 10 }),
    ),
    runs: await both(Object.fromEntries(runs.map((each) => [each.join('.'), each])), ([name, method]) =>
      ask('runGetMethodStd', { address: accounts[name], method, stack: [], seqno }),
    ),
    config: await both(Object.fromEntries(ids.map((id) => [id, id])), (id) => ask('getConfigParam', { config_id: id, seqno })),
    // How the shard's block hangs on the masterchain's.
    proof: await ask('getShardBlockProof', { ...at(blocks.shard), from_seqno: seqno }),
    signatures: await ask('getMasterchainBlockSignatures', { seqno }),
  })
}

/** Every value in which two sets of facts differ, with its path; a value that one of them lacks is undefined there. */
export const differences = (theirs, ours, path = '') => {
  if (typeof theirs === 'object' && typeof ours === 'object' && theirs !== null && ours !== null)
    return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].flatMap((key) =>
      differences(theirs[key], ours[key], path === '' ? key : `${path}.${key}`),
    )
  return theirs === ours ? [] : [{ path, theirs, ours }]
}

/** How many values there are in facts. */
export const size = (facts) =>
  typeof facts === 'object' && facts !== null ? Object.values(facts).reduce((sum, part) => sum + size(part), 0) : 1
