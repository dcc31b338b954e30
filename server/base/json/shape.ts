/* Shapes of JSON. A shape is declared once and says how a value is made of its source, such as a row. */

/** How a value `T` is made of a source `S`. */
export interface Shape<S, T> {
  of(source: S): T
}

/** A value as it is. */
export const json = <S, T>(get: (source: S) => T): Shape<S, T> => ({ of: get })
/** Digits, or one of our own words. */
export const word = <S, T extends string | null>(get: (source: S) => T): Shape<S, T> => ({ of: get })
export const number = <S, T extends number | null>(get: (source: S) => T): Shape<S, T> => ({ of: get })
export const flag = <S, T extends boolean | null>(get: (source: S) => T): Shape<S, T> => ({ of: get })

/** A value that is made of another one; null where that is null. */
export const value = <S, V, T>(get: (source: S) => V | null, make: (value: V) => T): Shape<S, T | null> => ({
  of(source) {
    const found = get(source)
    return found === null ? null : make(found)
  },
})

/** Bytes in base64. */
export const maybeBase64 = <S>(get: (source: S) => Buffer | null): Shape<S, string | null> =>
  value(get, (bytes) => bytes.toString('base64'))
export const base64 = <S>(get: (source: S) => Buffer): Shape<S, string> => maybeBase64(get) as Shape<S, string>

/** Always null. */
export const nothing = (): Shape<unknown, null> => ({ of: () => null })

/** A member that is left out if it is null: members that are undefined are not written. */
export const optional = <S, T>(shape: Shape<S, T>): Shape<S, NonNullable<T>> => ({
  of: (source) => (shape.of(source) ?? undefined) as NonNullable<T>,
})

/** A value that is null unless a condition holds. */
export const when = <S, T>(holds: (source: S) => boolean, shape: Shape<S, T>): Shape<S, T | null> => ({
  of: (source) => (holds(source) ? shape.of(source) : null),
})

/** One of two shapes. */
export const either = <S, A, B>(holds: (source: S) => boolean, one: Shape<S, A>, other: Shape<S, B>): Shape<S, A | B> => ({
  of: (source) => (holds(source) ? one : other).of(source),
})

/** The shape of a part of the source; null if there is no such part. */
export const part = <S, P, T>(get: (source: S) => P | null, shape: Shape<P, T>): Shape<S, T> =>
  value(get, (found) => shape.of(found)) as Shape<S, T>

export const list = <S, P, T>(get: (source: S) => readonly P[], shape: Shape<P, T>): Shape<S, T[]> => ({
  of: (source) => get(source).map((member) => shape.of(member)),
})

/** The shapes of an object's members, in the order of the JSON. */
export type Members<S, T> = { readonly [K in keyof T]-?: Shape<S, T[K]> }

export const object = <S, T>(members: Members<S, T>): Shape<S, T> => {
  const shapes = Object.entries<Shape<S, unknown>>(members)
  return {
    of(source) {
      const made: Record<string, unknown> = {}
      for (const [name, shape] of shapes) made[name] = shape.of(source)
      return made as T
    },
  }
}
