// Where a tool tells less than TON Center, or in another way, by path of the fact; with a function, only values that it accepts (theirs, ours).

const NO_ACCOUNT_TIME = [
  /^accounts\.\w+\.(block|time)$/,
  'what the tool knows of an account has neither block nor time; it was asked for the pinned block',
  absent,
]
const NO_SIGNATURES = [/^signatures$/, 'the tool checks signatures inside its chain of proofs and does not hand them out', absent]
const SHARD_KEY_BLOCK = [
  /^headers\.(shard|payer)\.prev_key_block_seqno$/,
  'the block has it; tonlib, and so TON Center, tells 0 outside the masterchain',
  (theirs, ours) => theirs > 0 && ours === 0,
]

/** A value that the tool does not tell. */
function absent(theirs) {
  return theirs === undefined
}

export const REASONS = {
  pytoniq: [NO_ACCOUNT_TIME, NO_SIGNATURES, SHARD_KEY_BLOCK],
  'tonutils-go': [NO_ACCOUNT_TIME, NO_SIGNATURES, SHARD_KEY_BLOCK],
  'ton-lite-client': [
    ...[NO_ACCOUNT_TIME, NO_SIGNATURES, SHARD_KEY_BLOCK],
    [/^shards\.\d+\.(root|file)$/, 'the tool keeps only the seqno of a shard', absent],
  ],
  tonlib: [
    [/^accounts\.\w+\.state$/, 'TON Center derives the state; tonlib does not tell it', absent],
    [
      /^accounts\.nobody\.balance$/,
      'tonlib tells -1 where there is no account; TON Center 0',
      (theirs, ours) => theirs === '-1' && ours === '0',
    ],
  ],
}
