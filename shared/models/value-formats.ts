import * as z from 'zod'
import { EMPTY_CELL, FRIENDLY, HASH, HASH_HEX, RAW } from '../samples.ts'

/*
 * Formats of single values in answers. Each function takes the description of the value as a sentence, and adds its format and an example. Only tests
 * validate answers against these schemas.
 */

/** Creates a function for one kind of value. `form`: its format in words. Each use can replace the example. */
const kind =
  <S extends z.ZodType>(schema: S, form: string, sample: unknown) =>
  (what: string, example: unknown = sample): S =>
    schema.meta({ description: what, form, examples: [example] })

const digits = z.string().regex(/^-?\d+$/)
/** Integers of 64 bits and more, as decimal text. */
export const decimal = kind(digits, 'decimal text', '1000')
export const nanotons = kind(digits, 'nanograms as a decimal text', '1000000000')
/** Smallest units of a jetton. Its `decimals` define how many make one whole unit. */
export const jettonUnits = kind(digits, "the jetton's smallest units as a decimal text", '1000000000')
export const lt = kind(digits, 'logical time as a decimal text', '46896866000003')

/** 32 bytes as standard base64 with padding. */
export const hash44 = kind(z.string().regex(/^[A-Za-z0-9+/]{43}=$/), '32 bytes as base64', HASH)
/** Bytes as standard base64 with padding. The empty text means no bytes. */
export const base64 = kind(z.string().regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/), 'base64', EMPTY_CELL)

export const friendly = kind(z.string().regex(/^[A-Za-z0-9_-]{48}$/), 'friendly address, url-safe', FRIENDLY)
/** The empty text means no address. */
export const friendlyOrNone = kind(z.string().regex(/^(?:[A-Za-z0-9_-]{48})?$/), 'friendly address, url-safe; empty: none', FRIENDLY)
export const hex64 = kind(z.string().regex(/^[0-9a-f]{64}$/), '32 bytes as lower-case hex', HASH_HEX)
export const hexUpper = kind(z.string().regex(/^[0-9A-F]{64}$/), '32 bytes as upper-case hex', HASH_HEX.toUpperCase())
export const rawUpper = kind(z.string().regex(/^-?\d+:[0-9A-F]{64}$/), '<workchain>:<64 upper-case hex digits>', RAW)
export const rawLower = kind(z.string().regex(/^-?\d+:[0-9a-f]{64}$/), '<workchain>:<64 lower-case hex digits>', RAW.toLowerCase())

export const text = kind(z.string(), 'text', '')
export const int = kind(z.int(), 'integer', 1)
export const int32 = kind(z.int32(), '32-bit integer', 1)
export const seconds = kind(z.int(), 'seconds', 3600)
export const utime = kind(z.int(), 'unix seconds', 1_735_689_600)

export const flag = (what: string): z.ZodBoolean => z.boolean().meta({ description: what })
export const words = <const W extends readonly [string, ...string[]]>(what: string, all: W): z.ZodEnum<{ [K in W[number]]: K }> =>
  z.enum(all).meta({ description: what, examples: [all[0]] })
/** `@type`: the name of the object's type in tonlib's TL schema. */
const tl = <const T extends string>(name: T): z.ZodLiteral<T> =>
  z.literal(name).meta({ description: "The type of this object in tonlib's TL schema." })
/** `what`: description of the array. `each`: schema of an element. */
export const many = <S extends z.ZodType>(what: string, each: S): z.ZodArray<S> => z.array(each).meta({ description: what })

/** A model of the documents: an object with these members and no others. */
export const model = <const M extends z.ZodRawShape>(id: string, members: M) => z.strictObject(members).meta({ id })
/** An object whose `@type` is `type`. */
export const tlObject = <const T extends string, const M extends z.ZodRawShape>(type: T, members: M) =>
  z.strictObject({ '@type': tl(type), ...members })
export const tlModel = <const T extends string, const M extends z.ZodRawShape>(id: string, type: T, members: M) =>
  tlObject(type, members).meta({ id })
