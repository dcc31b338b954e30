import type { Caller } from '../base/call.ts'
import type { KeyGrant } from './key-store.ts'

/** A key as this process knows it; changes are written into it, so that whoever holds it sees them. */
export interface KeyState extends KeyGrant {
  /** Where its calls are counted. */
  readonly bucket: string
  /** Who calls with it: one object for all its calls. */
  caller?: Caller
}
