const LONGEST = 64 << 10
/** Maximum nesting of objects and arrays. Low, because JSON writers recurse once per level. */
const DEEPEST = 32

const isShallow = (text: string): boolean => {
  let depth = 0
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (inText) {
      if (char === '\\') i++
      else if (char === '"') inText = false
    } else if (char === '"') inText = true
    else if (char === '{' || char === '[') {
      if (++depth > DEEPEST) return false
    } else if (char === '}' || char === ']') depth--
  }
  return true
}

/** Parses a JSON object and serializes it again. Returns undefined for anything else, and for an object that is too large or too deep. */
export const readDocument = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!isShallow(text)) return undefined
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const written = JSON.stringify(value)
    return written.length > LONGEST ? undefined : written
  } catch {
    return undefined
  }
}
