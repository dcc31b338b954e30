import { CellError } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { type Field, Fields, type Opener, openerOf } from './fields.ts'
import { type Budget, type DecodeRun, enter, type Json, type Shape, type Value } from './shape.ts'

export const maybe = (of: Shape): Shape => ({
  load: (s, run) => (s.loadBit() ? of.load(s, run) : null),
  print: (s, run) => (s.loadBit() ? { '@type': 'something_from_maybe', value: of.print(s, run) } : { '@type': 'nothing_from_maybe' }),
})

/** Maybe X with an inverted bit: 1 means that X is absent. `load` then returns null. */
export const invertedMaybe = (of: Shape): Shape => ({
  load: (s, run) => (s.loadBit() ? null : of.load(s, run)),
  print: (s, run) =>
    s.loadBit() ? { '@type': 'nothing_from_inverted_maybe' } : { '@type': 'just_from_inverted_maybe', value: of.print(s, run) },
})

/** Either X Y. If a body ends before its payload, `load` returns null: some contracts omit an empty payload. */
export const either = (first: Shape, second: Shape, isPayload: boolean): Shape => ({
  load: (s, run) => {
    if (isPayload && s.remainingBits === 0) return null
    return (s.loadBit() ? second : first).load(s, run)
  },
  print: (s, run) =>
    s.loadBit()
      ? { '@type': 'second_from_either', value: second.print(s, run) }
      : { '@type': 'first_from_either', value: first.print(s, run) },
})

const loadReference =
  (of: Shape): Shape['load'] =>
  (s, run) =>
    (of.open ?? of.load)(enter(s.loadRef(), run), run)

/** ^X. Data after X in its cell is ignored. */
export const reference = (of: Shape): Shape => ({
  load: loadReference(of),
  print: (s, run) => of.print(enter(s.loadRef(), run), run),
})

/** ^X as an argument of another type, such as Maybe ^X. Answers show the reference as `cell_reference`. */
export const argumentReference = (of: Shape): Shape => ({
  load: loadReference(of),
  print: (s, run) => ({ cell_reference: of.print(enter(s.loadRef(), run), run) }),
})

/** ^Cell: any cell, including an exotic one. */
export const anyReference = (named: boolean): Shape => ({
  load: (s) => s.loadRef(),
  print: (s, run) => {
    const shown = run.show(s.loadRef(), run)
    return named ? { cell_reference: shown } : shown
  },
})

/** Reads the fields of a constructor. The caller has already read the tag. */
export class RecordShape implements Shape {
  readonly name: string
  private readonly fields: readonly Field[]
  private opener: Opener | undefined

  constructor(name: string, fields: readonly Field[]) {
    this.name = name
    this.fields = fields
  }

  readonly open = (s: Slice, run: Budget): Fields => {
    this.opener ??= openerOf(this.name, this.fields)
    return this.opener(s, run)
  }

  readonly load = (s: Slice, run: Budget): Fields => Fields.readAll(this.open(s, run))

  readonly print = (s: Slice, run: DecodeRun): Json => {
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

export interface Tagged {
  readonly tag: number
  readonly tagBits: number
  readonly record: RecordShape
}

const refuse = (text: string): never => {
  throw new CellError('range', text)
}

/** A type with one or more constructors. The constructor without a tag is used if no tag matches. */
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
  return {
    load: (s, run) => pick(s).load(s, run),
    open: (s, run) => pick(s).open(s, run),
    print: (s, run) => pick(s).print(s, run),
  }
}
