import type { Caller } from '../base/call.ts'
import type { KeyGrant } from './key-store.ts'

/** A key as this process knows it. It is changed in place, so that its holders see changes. */
export interface KeyState extends KeyGrant {
  /** The bucket of its calls. */
  readonly bucket: string
  /** The caller of all calls with this key. */
  caller?: Caller
}
