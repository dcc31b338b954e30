import { parseBocRoot } from '../../../server/cell/boc.ts'
import type { AccountInput, ExternalInput } from '../../../server/chain/local/model.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import { type OwnWallet, ownWallet } from '../chain/own-wallet.ts'
import type { Random } from '../random.ts'

/* Plain transfers between wallets, and to addresses that nobody has used. */

export interface LoadOptions {
  readonly wallets: number
  /** Transfers of a step in the mean, without bursts. */
  readonly perStep: number
  /** Transfers of a burst, and the steps from one to the next. */
  readonly burst: number
  readonly burstEvery: number
}

/** A part of the transfers makes a new account. */
const TO_STRANGERS = 0.1
const LEAST = 1_000_000
const MOST = 100_000_000

/** How often something happens whose mean is given (Knuth). */
const poisson = (random: Random, mean: number): number => {
  const end = Math.exp(-mean)
  let count = 0
  for (let product = random.fraction(); product > end; product *= random.fraction()) count++
  return count
}

export interface Load {
  readonly accounts: readonly AccountInput[]
  /** The transfers that arrive in a step. */
  at(step: number): { readonly transfers: readonly ExternalInput[]; readonly isBurst: boolean }
}

export const createLoad = (random: Random, { wallets: count, perStep, burst, burstEvery }: LoadOptions): Load => {
  const wallets = Array.from({ length: count }, (_, n): OwnWallet & { seqno: number } => ({ ...ownWallet(n), seqno: 0 }))
  const transfer = (): ExternalInput => {
    const from = random.pick(wallets)
    const to: AccountId = random.chance(TO_STRANGERS) ? { workchain: 0, hash: random.bytes(32) } : random.pick(wallets).id
    const value = BigInt(LEAST + random.below(MOST))
    return { message: parseBocRoot(from.transfer(from.seqno++, to, value)), dest: from.id }
  }
  return {
    accounts: wallets.map(({ account }) => account),
    at(step) {
      const isBurst = step % burstEvery === Math.floor(burstEvery / 2)
      const arriving = poisson(random, perStep) + (isBurst ? burst : 0)
      return { transfers: Array.from({ length: arriving }, transfer), isBurst }
    },
  }
}
