import type { Slice } from '../../cell/slice.ts'
import type { SizedBody } from '../../decode/shape.ts'

/* Wallet requests that begin with a signature and so have no tag. */

const SIGNATURE = 512

const exactly =
  (bits: number, refs: number) =>
  (body: Slice): boolean =>
    body.remainingBits === bits && body.remainingRefs === refs

/** Returns a check for bodies that consist of `bits` bits, and 8 bits (a mode) for each reference. */
const messagesBehind =
  (bits: number) =>
  (body: Slice): boolean =>
    body.remainingBits === bits + 8 * body.remainingRefs

/** Returns whether a body is a signature and a reference to a cell whose first reference is a list with at least one action. */
const holdsActions = (body: Slice): boolean => {
  if (!exactly(SIGNATURE, 1)(body)) return false
  const inner = body.preloadRef()
  return !inner.exotic && inner.refCount > 0 && !inner.ref(0).exotic && inner.ref(0).refCount > 0
}

/** Returns whether a body is a request to wallet v4: a signature and three numbers, then messages or one of three plugin operations. */
const isV4 = (body: Slice): boolean => {
  const bits = SIGNATURE + 3 * 32 + 8
  if (body.remainingBits < bits) return false
  const operation = body
    .clone()
    .skip(bits - 8)
    .preloadUint(8)
  return operation === 0 ? messagesBehind(bits)(body) : operation < 4
}

/** Signed requests in the order in which TON Center tries them. The first that fits names the body. */
export const signedRequests: readonly SizedBody<string>[] = [
  { shape: 'PreprocessedV2Signed', fits: holdsActions },
  { shape: 'HighloadV3Signed', fits: exactly(SIGNATURE, 1) },
  { shape: 'HighloadV2Signed', fits: (body) => body.remainingBits === SIGNATURE + 32 + 64 + 1 && body.remainingRefs < 2 },
  { shape: 'HighloadV1Signed', fits: exactly(SIGNATURE + 3 * 32, 1) },
  { shape: 'WalletV4Signed', fits: isV4 },
  { shape: 'WalletV3Signed', fits: messagesBehind(SIGNATURE + 3 * 32) },
  { shape: 'WalletV1V2Signed', fits: messagesBehind(SIGNATURE + 2 * 32) },
]
