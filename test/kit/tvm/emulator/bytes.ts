/** Decodes base64 into a separate ArrayBuffer, so that a message to another thread carries nothing else (Buffer.from would use a pool). */
export const fromBase64 = (text: string): Uint8Array => {
  const buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(text, 'base64'))
  return new Uint8Array(buffer.buffer, 0, buffer.write(text, 'base64'))
}

/** The bytes in a separate ArrayBuffer: structured clone copies the whole buffer of a view. */
export const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
