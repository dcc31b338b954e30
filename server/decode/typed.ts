import type { Cell } from '../cell/cell.ts'
import type { BodyKind } from './notation.ts'
import type { Bits, Entries, Value } from './shape.ts'

/*
 * TypeScript types of the fields of a body, derived from the text of the notation (notation.ts). So code that uses a field which the body does not have, or
 * uses it as another type, does not compile. `Text` is always the text of all bodies.
 */

/** Widths of the integers that are read as number: those up to 53 bits that occur in a notation. Wider integers are bigint. */
type Small = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10 | 13 | 16 | 22 | 24 | 32 | 40 | 48

interface Words {
  bool: boolean
  coins: bigint
  grams: bigint
  vu16: bigint
  vu32: bigint
  nat1: number
  address: string | null
  address_int: string | null
  address_ext: null
  cell: Cell
  any: Cell
  snake: string
  DnsText: Bits
  TelemintText: Bits
}

type NumberOf<T extends string> = T extends `${'u' | 'i'}${Small}${'' | `${'=' | '<' | '>'}${string}`}` ? number : bigint

type ValueOf<Text extends string, T extends string> = T extends keyof Words
  ? Words[T]
  : T extends `?${infer Of}` | `!${infer Of}`
    ? ValueOf<Text, Of> | null
    : T extends `^${infer Of}` | `@${infer Of}`
      ? ValueOf<Text, Of>
      : T extends '(cell | ^cell)'
        ? Cell | null
        : T extends `(${infer A} | ${infer B})`
          ? ValueOf<Text, A> | ValueOf<Text, B>
          : T extends `if ${string} ${infer Of}`
            ? ValueOf<Text, Of> | undefined
            : T extends `${'u' | 'i'}${number}${'' | `${'=' | '<' | '>'}${string}`}`
              ? NumberOf<T>
              : T extends `bits${number}`
                ? Bits
                : T extends `${'dict' | 'tree'} ${string}`
                  ? Entries
                  : T extends `Out${string}` | `Wallet${string}`
                    ? Value
                    : TypeNamed<Text, T>

/** The type of one field. The fields of a record without a name become fields of the outer record. */
type Field<Text extends string, F extends string> = F extends `_ ${infer T}`
  ? Omit<ValueOf<Text, T>, '@type'>
  : F extends `${infer Name} ${infer T}`
    ? { readonly [K in Name]: ValueOf<Text, T> }
    : never

type FieldsOf<Text extends string, F extends string, Done = unknown> = F extends `_ ^[${infer Inner}]${infer More}`
  ? Done & FieldsOf<Text, Inner> & (More extends `, ${infer Next}` ? FieldsOf<Text, Next> : unknown)
  : F extends `${infer First}, ${infer More}`
    ? FieldsOf<Text, More, Done & Field<Text, First>>
    : Done & Field<Text, F>

/** The type of a constructor. `Line` is its line of the notation, from the constructor's name on. */
type Constructor<Text extends string, Line extends string> = Line extends `${infer Name}  ${infer F}`
  ? { readonly '@type': Name } & FieldsOf<Text, F>
  : { readonly '@type': Line }

/** A line joined with the lines that continue it. */
type Joined<Line extends string, More extends string> = More extends `  ${infer Next}\n${infer Rest}`
  ? Joined<`${Line} ${Next}`, Rest>
  : Line

type TypeNamed<
  Text extends string,
  Name extends string,
  Left extends string = Text,
  Done = never,
> = Left extends `${string}\ntype ${Name} ${string} ${infer Line}\n${infer More}`
  ? TypeNamed<Text, Name, `\n${More}`, Done | Constructor<Text, Joined<Line, More>>>
  : Done

/** A constructor by its kind and its name: `internal jetton_burn`, `forward text_comment`; or all constructors of a type: `type CoffeeAsset`. */
export type Key = `${BodyKind | 'type'} ${string}`

/** The fields of the body with this key; never if the text does not have the key. */
export type BodyOf<Text extends string, K extends Key> = K extends `type ${infer Name}`
  ? TypeNamed<Text, Name>
  : K extends `${infer Kind} ${infer Name}`
    ? Text extends `${string}\n${Kind} ${string} ${Name}  ${infer Line}\n${infer More}`
      ? Constructor<Text, `${Name}  ${Joined<Line, More>}`>
      : never
    : never
