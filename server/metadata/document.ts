const LONGEST = 64 << 10
/** Maximum nesting of objects and arrays. Low, because JSON writers recurse once per level. */
const DEEPEST = 32

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

/** Parses a JSON object and serializes it again. Returns undefined for anything else, and for an object that is too large or too deep. */
export const readDocument = (bytes: Uint8Array): string | undefined => {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isDeeper(value, DEEPEST)) return undefined
    const written = JSON.stringify(value)
    return written.length > LONGEST ? undefined : written
  } catch {
    return undefined
  }
}
