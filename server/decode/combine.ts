import { CellError } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { enter, type Json, type Run, type Shape } from './shape.ts'
import type { Decoded, Value } from './values.ts'

/** A field of a record. */
export interface Field {
  readonly name: string
  readonly shape: Shape
  /** Whether it is there, by the numbers before it. */
  readonly when?: (fields: Readonly<Record<string, Value>>) => boolean
  /** A number that another field depends on. */
  readonly decides?: boolean
}

/** Maybe X: null for nothing. */
export const maybe = (of: Shape): Shape => ({
  load: (s, run) => (s.loadBit() ? of.load(s, run) : null),
  print: (s, run) => (s.loadBit() ? { '@type': 'something_from_maybe', value: of.print(s, run) } : { '@type': 'nothing_from_maybe' }),
})

/** Maybe X whose bit says that X is missing; null for nothing. */
export const invertedMaybe = (of: Shape): Shape => ({
  load: (s, run) => (s.loadBit() ? null : of.load(s, run)),
  print: (s, run) =>
    s.loadBit() ? { '@type': 'nothing_from_inverted_maybe' } : { '@type': 'just_from_inverted_maybe', value: of.print(s, run) },
})

/** Either X Y: a Choice, or (`plain`) the value alone. */
export const either = (first: Shape, second: Shape, plain: boolean): Shape => ({
  load: (s, run) => {
    const right = s.loadBit()
    const value = (right ? second : first).load(s, run)
    return plain ? value : { second: right, value }
  },
  print: (s, run) =>
    s.loadBit()
      ? { '@type': 'second_from_either', value: second.print(s, run) }
      : { '@type': 'first_from_either', value: first.print(s, run) },
})

/** ^X; behind it the cell may hold more than X. */
export const reference = (of: Shape): Shape => ({
  load: (s, run) => of.load(enter(s.loadRef(), run), run),
  print: (s, run) => of.print(enter(s.loadRef(), run), run),
})

/** ^X where X is the argument of another type: shown with a name of its own. */
export const argumentReference = (of: Shape): Shape => ({
  load: (s, run) => of.load(enter(s.loadRef(), run), run),
  print: (s, run) => ({ cell_reference: of.print(enter(s.loadRef(), run), run) }),
})

/** ^Cell: any cell, exotic ones too. */
export const anyReference = (named: boolean): Shape => ({
  load: (s) => s.loadRef(),
  print: (s, run) => {
    const shown = run.show(s.loadRef(), run)
    return named ? { cell_reference: shown } : shown
  },
})

/** The fields of a constructor in their order, behind its tag. */
export class RecordShape implements Shape {
  readonly name: string
  private readonly opcode: number | null
  private readonly fields: readonly Field[]

  constructor(name: string, opcode: number | null, fields: readonly Field[]) {
    this.name = name
    this.opcode = opcode
    this.fields = fields
  }

  readonly load = (s: Slice, run: Run): Decoded => {
    const values: Record<string, Value> = {}
    const { fields } = this
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]!
      if (field.when === undefined || field.when(values)) values[field.name] = field.shape.load(s, run)
    }
    return { name: this.name, opcode: this.opcode, fields: values }
  }

  readonly print = (s: Slice, run: Run): Json => {
    const shown: Record<string, Json> = {}
    if (this.name !== '') shown['@type'] = this.name
    const decided: Record<string, Value> = {}
    for (const { name, shape, when, decides } of this.fields) {
      if (when !== undefined && !when(decided)) continue
      if (decides) decided[name] = shape.load(s.clone(), run)
      shown[name] = shape.print(s, run)
    }
    return shown
  }
}

/** A constructor of a type with the tag that tells it from the others. */
export interface Tagged {
  readonly tag: number
  readonly tagBits: number
  readonly record: RecordShape
}

const refuse = (text: string): never => {
  throw new CellError('range', text)
}

/** A type of one or more constructors; one without a tag, that holds another type, is taken where no tag fits. */
export const sum = (type: string, constructors: readonly Tagged[]): Shape => {
  const [only] = constructors
  if (constructors.length === 1 && only!.tagBits === 0) return only!.record
  const tagged = constructors.filter(({ tagBits }) => tagBits > 0)
  const untagged = constructors.find(({ tagBits }) => tagBits === 0)
  const pick = (s: Slice): RecordShape => {
    for (const { tag, tagBits, record } of tagged) {
      if (s.remainingBits >= tagBits && s.preloadUint(tagBits) === tag) {
        s.skip(tagBits)
        return record
      }
    }
    return untagged?.record ?? refuse(`${type}: no constructor with this tag`)
  }
  return { load: (s, run) => pick(s).load(s, run), print: (s, run) => pick(s).print(s, run) }
}
