import { base64, flag, hash44, int, many, model, rawUpper, text, words } from '../value-formats.ts'
import { fullBlockId } from './values.ts'

/* Proofs of the rows of lists. Their BoCs have a lite-server's form, so code that verifies a lite-server's proofs can verify them. */

const v3BlockIdExt = model('V3BlockIdExt', fullBlockId)

const signatures = model('V3BlockSignatures', {
  type: words('What the validators sign: the block (ordinary), or the candidate of the simplex consensus.', ['ordinary', 'simplex']),
  validator_set_hash: int('Short hash of the list of validators, unsigned.', 0),
  catchain_seqno: int('Number of the group of validators.', 0),
  signatures: many(
    'Signatures of the validators.',
    model('V3BlockSignature', {
      node_id_short: hash44("Short id of the validator: SHA-256 of its public key's TL form."),
      signature: base64('Its ed25519 signature, 64 bytes.'),
    }),
  ),
  session_id: hash44('Of simplex: id of the session.').optional(),
  slot: int('Of simplex: number of the slot in which the block was proposed.', 0).optional(),
  candidate: base64('Of simplex: what the signatures cover, the candidate in TL form.').optional(),
})

/** liteServer.BlockLink */
const blockLink = model('V3BlockLink', {
  type: words('Forward: the validators of `from` signed `to`. Back: the state after `from` names `to`.', ['forward', 'back']),
  to_key_block: flag('Whether the block that the link leads to is a key block.'),
  from: v3BlockIdExt.describe('The masterchain block from which the link leads.'),
  to: v3BlockIdExt.describe('The masterchain block that it leads to.'),
  dest_proof: base64('Proof of the header of `to`; empty for a zerostate.'),
  config_proof: base64('Forward: proof of the configuration in `from`, a key block or the zerostate.').optional(),
  signatures: signatures.describe('Forward: who signed `to`.').optional(),
  proof: base64('Back: proof of the header of `from`.').optional(),
  state_proof: base64('Back: proof that the state after `from` names `to`.').optional(),
})

/** liteServer.partialBlockProof */
export const v3BlockProof = model('V3BlockProof', {
  complete: flag('Whether the last link ends in the block that was asked for; if not, go on from `to`.'),
  from: v3BlockIdExt.describe('The block that the caller knows.'),
  to: v3BlockIdExt.describe('The block that the last link ends in.'),
  steps: many('The links in order, at most 16.', blockLink),
})

const accountProof = model('V3AccountProof', {
  account: rawUpper('The account.'),
  shard_block: v3BlockIdExt.describe('The block in whose state it was read; null if no shard holds it.').nullable(),
  shard_proof: base64('Proof that the masterchain block names the shard block; empty for a masterchain account.'),
  proof: base64('Proof of the header of the shard block and, in its state, of the account or its absence.'),
  state: base64('The account, as a BoC; empty if there is none.'),
})

const transactionProof = model('V3TransactionProof', {
  boc: base64('The whole transaction, as a BoC.'),
  block: int('Its block: an index of `blocks`; null if the chain of hashes proves it.', 0).nullable(),
  proof: base64('Proof of the block down to the transaction; null if the list of the block or the chain of hashes proves it.').nullable(),
})

const shardLink = model('V3ShardLink', {
  id: v3BlockIdExt.describe('The block that the link leads to.'),
  proof: base64('Proof that the block before it, or the masterchain block, names it.'),
})

const provenBlock = model('V3ProvenBlock', {
  block: v3BlockIdExt.describe('A block with rows of the list.'),
  proof: base64('Proof of the list of all its transactions; null if each row has a proof.').nullable(),
  mc_id: v3BlockIdExt.describe('The masterchain block that commits it.'),
  links: many('From `mc_id` to the block; none for a masterchain block.', shardLink),
  mc_proof: many('From `masterchain` to `mc_id`; none if they are the same.', blockLink),
})

const listProof = model('V3ListProof', {
  masterchain: v3BlockIdExt.describe('The block that has to be trusted: the other proofs lead to it.'),
  complete: words(
    'What cannot have been left out: newer or other transactions of the account (from_newest), transactions after the page before (continues), those of the block (block), accounts that were asked for (accounts). none: each row is proven, but others may be missing.',
    ['from_newest', 'continues', 'block', 'accounts', 'none'],
  ),
  accounts: many('Proofs of accounts at `masterchain`.', accountProof),
  transactions: many('The transaction of each row, in the order of the rows.', transactionProof),
  blocks: many('The blocks of the rows.', provenBlock),
})

export const withProof = {
  proof: listProof.describe('With `proofs`: the proof of the list; null if there is none.').nullable().optional(),
  proof_missing: text('Why `proof` is null.', 'LITE_SERVER_NOTREADY: no server keeps this block').optional(),
}
