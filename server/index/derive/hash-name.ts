const scratch = Buffer.alloc(32)

/** 32 bytes as one-byte characters, by way of a buffer of ours: to look into one's own buffer moves it out of the heap. */
export const hashName = (hash: Uint8Array): string => {
  scratch.set(hash)
  return scratch.toString('latin1')
}
