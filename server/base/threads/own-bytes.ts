/** Copies a view of a larger buffer, because a message would contain the whole buffer behind it. */
export const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))
