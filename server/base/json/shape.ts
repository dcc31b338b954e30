/* Shapes of JSON. A shape declares how a JSON value is computed from its source, such as a database row. */

export interface Shape<S, T> {
  of(source: S): T
}

export const json = <S, T>(get: (source: S) => T): Shape<S, T> => ({ of: get })
/** A text that needs no escaping in JSON, such as digits or a constant of the code. */
export const word = <S, T extends string | null>(get: (source: S) => T): Shape<S, T> => ({ of: get })
export const number = <S, T extends number | null>(get: (source: S) => T): Shape<S, T> => ({ of: get })
export const flag = <S, T extends boolean | null>(get: (source: S) => T): Shape<S, T> => ({ of: get })

export const value = <S, V, T>(get: (source: S) => V | null, make: (value: V) => T): Shape<S, T | null> => ({
  of(source) {
    const found = get(source)
    return found === null ? null : make(found)
  },
})

export const maybeBase64 = <S>(get: (source: S) => Buffer | null): Shape<S, string | null> =>
  value(get, (bytes) => bytes.toString('base64'))
export const base64 = <S>(get: (source: S) => Buffer): Shape<S, string> => maybeBase64(get) as Shape<S, string>

export const nothing = (): Shape<unknown, null> => ({ of: () => null })

/** A member that is omitted if it is null. JSON.stringify omits members that are undefined. */
export const optional = <S, T>(shape: Shape<S, T>): Shape<S, NonNullable<T>> => ({
  of: (source) => (shape.of(source) ?? undefined) as NonNullable<T>,
})

export const when = <S, T>(holds: (source: S) => boolean, shape: Shape<S, T>): Shape<S, T | null> => ({
  of: (source) => (holds(source) ? shape.of(source) : null),
})

export const either = <S, A, B>(holds: (source: S) => boolean, one: Shape<S, A>, other: Shape<S, B>): Shape<S, A | B> => ({
  of: (source) => (holds(source) ? one : other).of(source),
})

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
