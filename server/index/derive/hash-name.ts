const scratch = Buffer.alloc(32)

/** Copies the hash to a shared buffer, because an access to `hash.buffer` would move the bytes out of the V8 heap. */
export const hashName = (hash: Uint8Array): string => {
  scratch.set(hash)
  return scratch.toString('latin1')
}
