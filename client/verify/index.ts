export { VerifyError, type VerifyErrorKind } from './error.ts'
export type { TrustedBlock } from './ids.ts'
export {
  type BlockProofParams,
  createLightClient,
  type LightClient,
  type LightClientOptions,
  type LightClientState,
} from './light-client.ts'
export { type VerifiedPage, type VerifyOptions, verifyPage } from './page.ts'
export type { Completeness } from './request.ts'
export type { PageEnd } from './verify-rows.ts'
