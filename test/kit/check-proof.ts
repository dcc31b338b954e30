import { Cell, type Transaction as CoreTransaction, loadTransaction } from '@ton/core'
import { endSteps } from '../../server/base/yield.ts'
import type { BlockLink, SignatureSet } from '../../server/chain/liteserver.ts'
import { checkAccount, type ProvenAccount } from '../../server/chain/proofs/account.ts'
import { checkHeader, checkRootHash } from '../../server/chain/proofs/header.ts'
import { anySigners, checkBlockProof } from '../../server/chain/proofs/links.ts'
import { proofRoot } from '../../server/chain/proofs/roots.ts'
import { checkShardLinks } from '../../server/chain/proofs/shard-links.ts'
import { listTransactions, transactionIn } from '../../server/chain/proofs/transactions.ts'
import { loadBlockExtra } from '../../server/tlb/block/block.ts'
import { type BlockId, sameBlock } from '../../server/tlb/ids.ts'
import type { Result } from '../../shared/registry.ts'

/* Checks proofs of lists by the server's own checkers, which is not what client/verify does. */

export type ListProof = NonNullable<Result<'v3.transactions'>['proof']>
type WireId = ListProof['masterchain']
type WireLink = Result<'v3.blockProof'>['steps'][number]

const bytes = (text: string | null | undefined): Buffer => Buffer.from(text ?? '', 'base64')

export const idOf = ({ workchain, shard, seqno, root_hash, file_hash }: WireId): BlockId => ({
  workchain,
  shard: BigInt(`0x${shard}`),
  seqno,
  rootHash: bytes(root_hash),
  fileHash: bytes(file_hash),
})

const signaturesOf = (set: NonNullable<WireLink['signatures']>): SignatureSet =>
  ({
    type: set.type,
    validatorSetHash: set.validator_set_hash,
    catchainSeqno: set.catchain_seqno,
    signatures: set.signatures.map((each) => ({ nodeIdShort: bytes(each.node_id_short), signature: bytes(each.signature) })),
    ...(set.type === 'simplex' && { sessionId: bytes(set.session_id), slot: set.slot, candidate: bytes(set.candidate) }),
  }) as SignatureSet

const linkOf = (link: WireLink): BlockLink =>
  ({
    type: link.type,
    toKeyBlock: link.to_key_block,
    from: idOf(link.from),
    to: idOf(link.to),
    destProof: bytes(link.dest_proof),
    ...(link.type === 'forward'
      ? { configProof: bytes(link.config_proof), signatures: signaturesOf(link.signatures!) }
      : { proof: bytes(link.proof), stateProof: bytes(link.state_proof) }),
  }) as BlockLink

/** Checks a chain of links. `isOwn`: of an embedded chain, whose signatures nobody can check. */
export const checkLinks = (steps: readonly WireLink[], from: BlockId, to: BlockId, isOwn: boolean): void => {
  endSteps(checkBlockProof({ complete: true, from, to, steps: steps.map(linkOf) }, from, to, isOwn ? anySigners : undefined))
}

/** A transaction as its proof shows it. */
export interface Shown {
  readonly cell: Cell
  readonly transaction: CoreTransaction
  /** Undefined where the chain of hashes proves it. */
  readonly block: BlockId | undefined
}

export interface Checked {
  readonly transactions: readonly Shown[]
  readonly accounts: ReadonlyMap<string, ProvenAccount>
  /** Hashes of all transactions of a block, by the index of the block. */
  readonly lists: readonly (readonly { readonly account: string; readonly lt: bigint; readonly hash: string }[] | undefined)[]
}

/** Throws unless everything in a proof hangs on the masterchain block that the caller trusts. */
export const checkProof = (proof: ListProof, trusted: BlockId): Checked => {
  const head = idOf(proof.masterchain)
  if (!sameBlock(head, trusted)) throw new Error('a proof from another block')
  const blocks = proof.blocks.map(({ block, mc_id, links, mc_proof }) => {
    const mcId = idOf(mc_id)
    checkLinks(mc_proof, head, mcId, false)
    checkShardLinks(
      mcId,
      links.map((link) => ({ id: idOf(link.id), proof: bytes(link.proof) })),
      idOf(block),
    )
    return idOf(block)
  })
  const lists = proof.blocks.map(({ proof: list }, i) => {
    if (list === null) return undefined
    const { accountBlocks } = loadBlockExtra(checkRootHash(proofRoot(bytes(list), 'list'), blocks[i]!).extra)
    const { rows, incomplete } = listTransactions(accountBlocks, { count: 256, reverse: false })
    if (incomplete) throw new Error('more transactions than this check takes')
    return rows.map(({ account, lt, cell }) => ({
      account: Buffer.from(account).toString('hex'),
      lt,
      hash: Buffer.from(cell.hash(0)).toString('base64'),
    }))
  })
  const transactions = proof.transactions.map(({ boc, block, proof: way }): Shown => {
    const cell = Cell.fromBase64(boc)
    const transaction = loadTransaction(cell.beginParse())
    if (way !== null) {
      const account = Buffer.from(transaction.address.toString(16).padStart(64, '0'), 'hex')
      const { block: proven } = checkHeader(bytes(way), blocks[block!]!)
      const found = transactionIn(loadBlockExtra(proven.extra).accountBlocks, account, transaction.lt)
      if (!found || !cell.hash().equals(Buffer.from(found.hash(0)))) throw new Error('not the transaction of its block')
    }
    return { cell, transaction, block: block === null ? undefined : blocks[block] }
  })
  const accounts = new Map(
    proof.accounts.map(({ account, shard_block, shard_proof, proof: way, state }) => {
      const [workchain, hash] = account.split(':')
      const id = { workchain: Number(workchain), hash: Buffer.from(hash!, 'hex') }
      const none = { workchain: 0, shard: 0n, seqno: 0, rootHash: Buffer.alloc(32), fileHash: Buffer.alloc(32) }
      const shardBlock = shard_block ? idOf(shard_block) : none
      const answer = { id: head, shardBlock, shardProof: bytes(shard_proof), proof: bytes(way), state: bytes(state) }
      return [account, endSteps(checkAccount(answer, head, id))] as const
    }),
  )
  return { transactions, accounts, lists }
}
