/* Everything that imports @noble/curves. load-curves.ts loads this file lazily. */
export { aggregateVerifyBls, fastAggregateVerifyBls, pairingBls, verifyBls } from './bls.ts'
export { BLS_G1, BLS_G2, mapToG1, mapToG2 } from './bls-points.ts'
export {
  addRistretto,
  decodeRistretto,
  multiplyRistretto,
  multiplyRistrettoBase,
  ristrettoFromHash,
  subtractRistretto,
} from './ristretto.ts'
export { recoverSecp256k1, tweakSecp256k1 } from './secp256k1.ts'
