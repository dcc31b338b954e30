import type { Slice } from '../cell/slice.ts'
import type { Compiler } from './compile.ts'
import type { Shape } from './shape.ts'

/** A request of a wallet that begins with a signature and therefore has no tag. */
export interface Signed {
  readonly shape: Shape
  /** Whether a body has the size of such a request: what it holds is only tried then. */
  readonly fits: (body: Slice) => boolean
}

const SIGNATURE = 512

const exactly =
  (bits: number, refs: number) =>
  (body: Slice): boolean =>
    body.remainingBits === bits && body.remainingRefs === refs

/** A mode of 8 bits for each reference, behind so many bits. */
const messagesBehind =
  (bits: number) =>
  (body: Slice): boolean =>
    body.remainingBits === bits + 8 * body.remainingRefs

/** A signature and a reference to a cell whose first reference is a list of at least one action. */
const holdsActions = (body: Slice): boolean => {
  if (!exactly(SIGNATURE, 1)(body)) return false
  const inner = body.preloadRef()
  return !inner.exotic && inner.refCount > 0 && !inner.ref(0).exotic && inner.ref(0).refCount > 0
}

/** What wallet v4 is asked for stands behind its signature and its three numbers: messages, or one of three orders about plugins. */
const isV4 = (body: Slice): boolean => {
  const bits = SIGNATURE + 3 * 32 + 8
  if (body.remainingBits < bits) return false
  const operation = body
    .clone()
    .skip(bits - 8)
    .preloadUint(8)
  return operation === 0 ? messagesBehind(bits)(body) : operation < 4
}

/** These requests in the order of 9.3. They have to take the whole body, because nothing else tells them apart. */
export const signedBodies = (compiler: Compiler): readonly Signed[] => [
  { shape: compiler.named('PreprocessedV2Signed'), fits: holdsActions },
  { shape: compiler.named('HighloadV3Signed'), fits: exactly(SIGNATURE, 1) },
  { shape: compiler.named('HighloadV2Signed'), fits: (body) => body.remainingBits === SIGNATURE + 32 + 64 + 1 && body.remainingRefs < 2 },
  { shape: compiler.named('HighloadV1Signed'), fits: exactly(SIGNATURE + 3 * 32, 1) },
  { shape: compiler.named('WalletV4Signed'), fits: isV4 },
  { shape: compiler.named('WalletV3Signed'), fits: messagesBehind(SIGNATURE + 3 * 32) },
  { shape: compiler.named('WalletV1V2Signed'), fits: messagesBehind(SIGNATURE + 2 * 32) },
]
