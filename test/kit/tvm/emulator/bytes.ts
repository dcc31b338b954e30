/** base64 to bytes in an ArrayBuffer of their own, so that a message to the other thread carries nothing else (Buffer.from would pool them). */
export const fromBase64 = (text: string): Uint8Array => {
  const buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(text, 'base64'))
  return new Uint8Array(buffer.buffer, 0, buffer.write(text, 'base64'))
}

/** The bytes in an ArrayBuffer of their own: structured clone copies the whole buffer behind a view. */
export const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
