import { type JsonBytes, jsonPart } from './bytes.ts'
import { Program, type WriterCode } from './program.ts'

/*
 * Shapes of JSON. A shape is declared once and says how a value is made of its source, such as a row, and how it is written as bytes without being made. The
 * two are the same JSON.
 */

/** How a value `T` is told of a source `S`. */
export interface Shape<S, T> {
  of(source: S): T
  /** Writes what JSON.stringify writes of the value. */
  write(out: JsonBytes, source: S): void
  /** Whether the value is null. Without it, it never is. */
  isNull?(source: S): boolean
  /** Whether it is left out of its object. */
  isLeftOut?(source: S): boolean
  /** What `write` does, as a part of a program. By default the program calls `write`. */
  readonly code?: WriterCode
}

const codeOf = (shape: Shape<never, unknown>): WriterCode =>
  shape.code ?? ((program, source) => `${program.constant((out: JsonBytes, of: never) => shape.write(out, of))}(out, ${source});`)

/** Writes a value that is null where `get` gives null. `put`: statements that write any other value, which is in a variable. */
const codeOfLeaf =
  (get: (source: never) => unknown, put: WriterCode): WriterCode =>
  (program, source) => {
    const value = program.variable()
    return `const ${value} = ${program.constant(get)}(${source}); if (${value} === null) out.null(); else { ${put(program, value)} }`
  }

const isNullOf = <S>(shape: Shape<S, unknown>, source: S): boolean => shape.isNull?.(source) ?? false

/** A value that is null where `get` gives null. */
const leaf = <S, V, T>(
  get: (source: S) => V | null,
  make: (value: V) => T,
  put: (out: JsonBytes, value: V) => void,
  putCode: WriterCode = (program, value) => `${program.constant(put)}(out, ${value});`,
): Shape<S, T> => ({
  of(source) {
    const value = get(source)
    return value === null ? (null as T) : make(value)
  },
  write(out, source) {
    const value = get(source)
    if (value === null) out.null()
    else put(out, value)
  },
  isNull: (source) => get(source) === null,
  code: codeOfLeaf(get, putCode),
})

const same = <T>(value: T): T => value

/** A call of the writer's own method. */
const calls =
  (method: keyof JsonBytes): WriterCode =>
  (_, value) =>
    `out.${method}(${value});`

/** A string that needs no escapes: digits, or one of our own words. */
export const word = <S, T extends string | null>(get: (source: S) => T): Shape<S, T> =>
  leaf<S, NonNullable<T>, T>(get as (source: S) => NonNullable<T>, same, (out, value) => out.word(value), calls('word'))

export const number = <S, T extends number | null>(get: (source: S) => T): Shape<S, T> =>
  leaf<S, NonNullable<T>, T>(get as (source: S) => NonNullable<T>, same, (out, value) => out.number(value), calls('number'))

export const flag = <S, T extends boolean | null>(get: (source: S) => T): Shape<S, T> =>
  leaf<S, NonNullable<T>, T>(get as (source: S) => NonNullable<T>, same, (out, value) => out.boolean(value), calls('boolean'))

/** A value of any kind. */
export const json = <S, T>(get: (source: S) => T): Shape<S, T> =>
  leaf<S, NonNullable<T>, T>(get as (source: S) => NonNullable<T>, same, (out, value) => out.json(JSON.stringify(value)))

const toBase64 = (bytes: Buffer): string => bytes.toString('base64')
const putBase64 = (out: JsonBytes, bytes: Buffer): void => out.base64(bytes)
const base64Code = calls('base64')

/** Bytes in base64. */
export const base64 = <S>(get: (source: S) => Buffer): Shape<S, string> => leaf(get, toBase64, putBase64, base64Code)
export const maybeBase64 = <S>(get: (source: S) => Buffer | null): Shape<S, string | null> => leaf(get, toBase64, putBase64, base64Code)

/** A value of its own kind. `put` writes what `make` makes. */
export const value = <S, V, T>(
  get: (source: S) => V | null,
  make: (value: V) => T,
  put: (out: JsonBytes, value: V) => void,
): Shape<S, T | null> => leaf<S, V, T | null>(get, make, put)

/** Always null. */
export const nothing = (): Shape<unknown, null> => ({
  of: () => null,
  write: (out) => out.null(),
  isNull: () => true,
  code: () => 'out.null();',
})

/** A member that is left out if it is null. */
export const optional = <S, T>(shape: Shape<S, T>): Shape<S, NonNullable<T>> => {
  const isNull = (source: S): boolean => isNullOf(shape, source)
  return {
    // The objects of one shape all have the same members; those that are undefined are not written.
    of: (source) => (isNull(source) ? undefined : shape.of(source)) as NonNullable<T>,
    write: (out, source) => shape.write(out, source),
    isLeftOut: isNull,
    code: codeOf(shape),
  }
}

/** A value that is null unless a condition holds. */
export const when = <S, T>(holds: (source: S) => boolean, shape: Shape<S, T>): Shape<S, T | null> => ({
  of: (source) => (holds(source) ? shape.of(source) : null),
  write: (out, source) => (holds(source) ? shape.write(out, source) : out.null()),
  isNull: (source) => !holds(source) || isNullOf(shape, source),
  code: (program, source) => `if (${program.constant(holds)}(${source})) { ${codeOf(shape)(program, source)} } else out.null();`,
})

/** One of two shapes. */
export const either = <S, A, B>(holds: (source: S) => boolean, one: Shape<S, A>, other: Shape<S, B>): Shape<S, A | B> => ({
  of: (source) => (holds(source) ? one : other).of(source),
  write: (out, source) => (holds(source) ? one : other).write(out, source),
  isNull: (source) => isNullOf(holds(source) ? one : other, source),
  code: (program, source) =>
    `if (${program.constant(holds)}(${source})) { ${codeOf(one)(program, source)} } else { ${codeOf(other)(program, source)} }`,
})

/** The shape of a part of the source; null if there is no such part. */
export const part = <S, P, T>(get: (source: S) => P | null, shape: Shape<P, T>): Shape<S, T> => ({
  ...leaf(
    get,
    (of: P) => shape.of(of),
    (out, of) => shape.write(out, of),
    codeOf(shape),
  ),
  isNull(source) {
    const of = get(source)
    return of === null || isNullOf(shape, of)
  },
})

export const list = <S, P, T>(get: (source: S) => readonly P[], shape: Shape<P, T>): Shape<S, T[]> => ({
  of: (source) => get(source).map((member) => shape.of(member)),
  write(out, source) {
    out.part(OPEN_LIST)
    const members = get(source)
    for (let i = 0; i < members.length; i++) {
      if (i > 0) out.comma()
      shape.write(out, members[i]!)
    }
    out.part(CLOSE_LIST)
  },
  code(program, source) {
    const [members, i, member] = [program.variable(), program.variable(), program.variable()]
    return `out.part(${program.constant(OPEN_LIST)}); const ${members} = ${program.constant(get)}(${source});
      for (let ${i} = 0; ${i} < ${members}.length; ${i}++) {
        if (${i} > 0) out.comma();
        const ${member} = ${members}[${i}]; ${codeOf(shape)(program, member)}
      }
      out.part(${program.constant(CLOSE_LIST)});`
  },
})

const OPEN_LIST = jsonPart('[')
const CLOSE_LIST = jsonPart(']')
const CLOSE = jsonPart('}')
const OPEN = jsonPart('{')

/** The shapes of an object's members, in the order of the JSON. */
export type Members<S, T> = { readonly [K in keyof T]-?: Shape<S, T[K]> }

/** Makes objects of one kind inside V8. The function is made from text: filling in members one by one takes three times as long. */
const makerOf = <S, T>(names: readonly string[], shapes: readonly Shape<S, unknown>[]): ((source: S) => T) => {
  const members = names.map((name, i) => `${JSON.stringify(name)}: s${i}.of(source)`)
  const make = new Function(...shapes.map((_, i) => `s${i}`), `return (source) => ({${members.join(', ')}})`) as (
    ...all: readonly Shape<S, unknown>[]
  ) => (source: S) => T
  return make(...shapes)
}

const namePart = (before: string, name: string): Buffer => jsonPart(`${before}${JSON.stringify(name)}:`)

type Write<S> = (out: JsonBytes, source: S) => void

/** An object, whose members can also be written without the bracket at their end, so that others can follow. */
export interface ObjectShape<S, T> extends Shape<S, T> {
  writeMembers(out: JsonBytes, source: S): void
}

/** Statements that write the members of an object. Those that can be left out may be the first ones. */
const codeOfMembers = (program: Program, names: readonly string[], shapes: readonly Shape<never, unknown>[]): string => {
  let mayBeFirst = true
  const lines = ['let isFirst = true;']
  for (const [i, shape] of shapes.entries()) {
    const name = names[i]!
    const other = program.constant(namePart(',', name))
    const part = mayBeFirst ? `isFirst ? ${program.constant(namePart('{', name))} : ${other}` : other
    const statements = `out.part(${part}); isFirst = false; ${codeOf(shape)(program, 'source')}`
    lines.push(shape.isLeftOut ? `if (!${program.constant(shape.isLeftOut)}(source)) { ${statements} }` : `{ ${statements} }`)
    mayBeFirst &&= shape.isLeftOut !== undefined
  }
  if (mayBeFirst) lines.push(`if (isFirst) out.part(${program.constant(OPEN)});`)
  return lines.join('\n')
}

export const object = <S, T>(members: Members<S, T>): ObjectShape<S, T> => {
  const names = Object.keys(members)
  const shapes = Object.values(members) as readonly Shape<never, unknown>[]
  let made: { readonly members: Write<S>; readonly whole: Write<S> } | undefined
  /** Made when the first object is written, because most services write few kinds. */
  const make = () => {
    const program = new Program()
    const text = codeOfMembers(program, names, shapes)
    return { members: program.writer<S>(text), whole: program.writer<S>(`${text}\nout.part(${program.constant(CLOSE)});`) }
  }
  const present = () => {
    made ??= make()
    return made
  }
  return {
    of: makerOf<S, T>(names, shapes as readonly Shape<S, unknown>[]),
    writeMembers: (out, source) => present().members(out, source),
    write: (out, source) => present().whole(out, source),
    code: (program, source) => `${program.constant(present().whole)}(out, ${source});`,
  }
}
