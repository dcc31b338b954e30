const scratch = Buffer.alloc(32)

/** Converts 32 bytes to one-byte characters. The bytes are copied to a shared buffer, because an access to `hash.buffer` would move them out of the V8 heap. */
export const hashName = (hash: Uint8Array): string => {
  scratch.set(hash)
  return scratch.toString('latin1')
}
