import { TlError } from './error.ts'
import type { TlReader } from './reader.ts'
import type { Combinator, Field } from './schema.ts'
import type { TlWriter } from './writer.ts'

/** A record of the schema, with the field names of the chain port. */
export type TlObject = Record<string, unknown>

/** Reads and writes one type. A boxed type has its constructor number first. */
export interface Codec<T = unknown> {
  read(reader: TlReader): T
  write(writer: TlWriter, value: T): void
}

const text = new TextDecoder('utf-8', { fatal: false })
const NO_BYTES = new Uint8Array(0)

/*
 * `never`, because the type of a value follows from the schema, which TypeScript does not know. Callers pass values of the types of liteserver.ts, and
 * tests check the schema against these types.
 */
const PRIMITIVES: Readonly<Record<string, Codec<never>>> = {
  '#': { read: (r) => r.uint() as never, write: (w, v) => w.int(v) },
  int: { read: (r) => r.int() as never, write: (w, v) => w.int(v) },
  long: { read: (r) => r.long() as never, write: (w, v) => w.long(v) },
  int256: { read: (r) => r.fixed(32) as never, write: (w, v) => w.fixed(v, 32) },
  bytes: { read: (r) => r.bytes() as never, write: (w, v) => w.bytes(v ?? NO_BYTES) },
  string: { read: (r) => text.decode(r.bytes()) as never, write: (w, v) => w.bytes(Buffer.from(v as string)) },
  Bool: { read: (r) => r.bool() as never, write: (w, v) => w.bool(v) },
  true: { read: () => true as never, write: () => undefined },
}

const has = (object: TlObject, { flag }: Field): boolean => flag === undefined || (((object[flag.field] as number) >>> flag.bit) & 1) === 1

interface Bare extends Codec<TlObject> {
  fill(reader: TlReader, object: TlObject): TlObject
}

/**
 * Codecs of a schema. Bare records are found by their constructors' names, boxed records by their types' names. `variants`: for a type with several
 * constructors, the value of `type` for each constructor.
 */
export const createCodecs = (combinators: readonly Combinator[], variants: Readonly<Record<string, string>>) => {
  const bare = new Map<string, Bare>()
  const byType = new Map<string, Combinator[]>()
  for (const each of combinators) byType.set(each.result, [...(byType.get(each.result) ?? []), each])

  const codecOf = (type: string): Codec<never> => {
    const primitive = PRIMITIVES[type]
    if (primitive) return primitive
    if (type.startsWith('vector ')) return vectorOf(codecOf(type.slice('vector '.length)) as unknown as Codec)
    return (byType.has(type) ? boxedOf(type) : bareOf(type)) as unknown as Codec<never>
  }

  const vectorOf = (element: Codec): Codec<never> => ({
    read: (r) => Array.from({ length: r.vector() }, () => element.read(r)) as never,
    write(w, values) {
      const list = values as readonly unknown[]
      w.int(list.length)
      for (const value of list) element.write(w, value)
    },
  })

  const bareOf = (name: string): Bare => {
    const cached = bare.get(name)
    if (cached) return cached
    const combinator = combinators.find((each) => each.name === name)
    if (combinator === undefined) throw new Error(`${name} is not in the schema`)
    const fields = combinator.fields.map((field) => ({ ...field, codec: codecOf(field.type) as Codec }))
    const fill = (r: TlReader, object: TlObject): TlObject => {
      for (const field of fields) if (has(object, field)) object[field.name] = field.codec.read(r)
      return object
    }
    const codec: Bare = {
      fill,
      read: (r) => fill(r, {}),
      write(w, object) {
        for (const field of fields) if (has(object, field)) field.codec.write(w, object[field.name])
      },
    }
    bare.set(name, codec)
    return codec
  }

  /** Codec of a type with its constructor number first. The field `type` contains the constructor's short name. */
  const boxedOf = (type: string): Codec<TlObject> => {
    const all = (byType.get(type) ?? []).map(({ name, id }) => ({ id, variant: variants[name], codec: bareOf(name) }))
    if (all.length === 0) throw new Error(`${type} is not in the schema`)
    return {
      read(r) {
        const id = r.uint()
        const found = all.find((each) => each.id === id)
        if (found === undefined) throw new TlError(`constructor ${id.toString(16).padStart(8, '0')} does not belong to type ${type}`)
        return found.codec.fill(r, found.variant === undefined ? {} : { type: found.variant })
      },
      write(w, object) {
        const found = all.length === 1 ? all[0] : all.find((each) => each.variant === object['type'])
        if (found === undefined) throw new TlError(`type ${type} has no constructor ${String(object['type'])}`)
        w.int(found.id)
        found.codec.write(w, object)
      },
    }
  }

  return { bare: bareOf, boxed: boxedOf }
}
