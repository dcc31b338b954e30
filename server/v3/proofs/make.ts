import { TonError } from '../../../shared/errors.ts'
import { inParallel } from '../../base/in-parallel.ts'
import { mapWithPauses } from '../../base/yield.ts'
import type { Chain, ChainProofs, TransactionInBlock } from '../../chain/chain-port.ts'
import { sameBytes } from '../../tlb/bytes.ts'
import { type AccountId, type BlockId, blockText } from '../../tlb/ids.ts'
import type { ProofSubject, ProvenRow } from './subject.ts'
import { blockIdExt, bocOf, createEncode, type Encode, type WireBlock, type WireProof, writeAccount, writeLink } from './wire.ts'

export type ProvingChain = ChainProofs & Pick<Chain, 'transactions'>

/** Maximum concurrent chain queries of one answer: half of them for its blocks, half for its rows. */
const AT_ONCE = 4

interface Making {
  readonly chain: ProvingChain
  readonly subject: ProofSubject
  readonly signal: AbortSignal
  readonly encode: Encode
}

type Parts = Pick<WireProof, 'complete'> & Partial<WireProof>

const other = (): TonError => new TonError('CHAIN', 'the chain has other transactions than the index')

/** Proves blocks from the head of the answer. The links to each masterchain block are read once. */
const createBlockProver = ({ chain, subject: { head }, signal, encode }: Making) => {
  const linksTo = new Map<string, Promise<WireBlock['mc_proof']>>()
  const readLinks = async (mcId: BlockId): Promise<WireBlock['mc_proof']> =>
    (await chain.masterchainLinks(head, mcId, signal)).map((link) => writeLink(link, encode))
  return async (block: BlockId, proof: Uint8Array | undefined): Promise<WireBlock> => {
    const { mcId, links } = await chain.shardLinks(block, signal)
    if (mcId.seqno > head.seqno) throw new TonError('CHAIN', `${blockText(block)} is committed after ${blockText(head)}`)
    const name = blockText(mcId)
    const coming = linksTo.get(name) ?? readLinks(mcId)
    linksTo.set(name, coming)
    return {
      block: blockIdExt(block),
      proof: proof ? encode(proof) : null,
      mc_id: blockIdExt(mcId),
      links: links.map((link) => ({ id: blockIdExt(link.id), proof: encode(link.proof) })),
      mc_proof: await coming,
    }
  }
}

const placeOf = (account: Uint8Array, lt: bigint): string => `${Buffer.from(account).toString('latin1')}${lt}`

/** Proves all transactions of a block by the block's transaction list. */
const ofBlock = async (making: Making, block: BlockId): Promise<Parts> => {
  const { chain, subject, signal, encode } = making
  const list = await chain.transactionListProof(block, signal)
  const cells = new Map(list.transactions.map(({ account, lt, cell }) => [placeOf(account, lt), cell]))
  const write = ({ account, lt, hash }: ProvenRow): WireProof['transactions'][number] => {
    const cell = cells.get(placeOf(account.hash, lt))
    if (cell === undefined || !sameBytes(cell.hash(), hash)) throw other()
    return { boc: encode(bocOf(cell)), block: 0, proof: null }
  }
  const transactions = await mapWithPauses(subject.rows, write, signal)
  return { complete: 'block', transactions, blocks: [await createBlockProver(making)(block, list.proof)] }
}

const oneByOne = async (making: Making): Promise<Parts> => {
  const { chain, subject, signal, encode } = making
  const blocks = [...new Set(subject.rows.map(({ block }) => block))]
  const proveBlock = createBlockProver(making)
  const proveRow = async ({ account, lt, hash, block }: ProvenRow): Promise<WireProof['transactions'][number]> => {
    const { root, proof } = await chain.transactionProof(block, account, lt, signal)
    if (!sameBytes(root.hash(), hash)) throw other()
    return { boc: encode(bocOf(root)), block: blocks.indexOf(block), proof: encode(proof) }
  }
  const [transactions, proven] = await Promise.all([
    inParallel(subject.rows, proveRow, AT_ONCE),
    inParallel(blocks, (block) => proveBlock(block, undefined), AT_ONCE),
  ])
  return { complete: 'none', transactions, blocks: proven }
}

/**
 * Proves transactions of an account by their chain of hashes. If the account's state does not end in the first row (the account was deleted or replaced, or
 * the index lacks rows), each row is proven by its block, and the proof of the account shows why.
 */
const ofAccountPage = async (making: Making, { id, isFirst }: NonNullable<ProofSubject['ofAccount']>): Promise<Parts> => {
  const { chain, subject, signal, encode } = making
  const { head, rows } = subject
  const [first] = rows
  const [account, { transactions }] = await Promise.all([
    isFirst ? chain.accountProof(id, head, signal) : undefined,
    first ? chain.transactions(id, { from: first, limit: rows.length, toLt: 0n }, signal) : { transactions: [] },
  ])
  const accounts = account ? [writeAccount(id, account, encode)] : []
  const isSame = transactions.length === rows.length && transactions.every(({ hash }, i) => sameBytes(hash, rows[i]!.hash))
  const isNewest = !account || (account.lastTransLt === (first?.lt ?? 0n) && (!first || sameBytes(account.lastTransHash, first.hash)))
  if (!isSame || !isNewest) return { ...(await oneByOne(making)), accounts }
  const write = ({ transaction }: TransactionInBlock) => ({ boc: encode(bocOf(transaction.root)), block: null, proof: null })
  return { complete: isFirst ? 'from_newest' : 'continues', accounts, transactions: await mapWithPauses(transactions, write, signal) }
}

const ofStates = async ({ chain, subject, signal, encode }: Making, states: readonly AccountId[]): Promise<Parts> => {
  const proveState = async (id: AccountId) => writeAccount(id, await chain.accountProof(id, subject.head, signal), encode)
  return { complete: 'accounts', accounts: await inParallel(states, proveState, 2 * AT_ONCE) }
}

const partsOf = async (making: Making): Promise<Parts> => {
  const { states, ofAccount, ofBlock: block } = making.subject
  if (states) return await ofStates(making, states)
  if (block) return await ofBlock(making, block)
  return await (ofAccount ? ofAccountPage(making, ofAccount) : oneByOne(making))
}

/** Makes the proof of an answer. Rejects with CHAIN if no lite-server has the required data. */
export const makeProof = async (chain: ProvingChain, subject: ProofSubject, signal: AbortSignal): Promise<WireProof> => ({
  masterchain: blockIdExt(subject.head),
  accounts: [],
  transactions: [],
  blocks: [],
  ...(await partsOf({ chain, subject, signal, encode: createEncode() })),
})
