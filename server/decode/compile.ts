import { anyReference, argumentReference, either, invertedMaybe, maybe, RecordShape, reference, sum, type Tagged } from './combinators.ts'
import { dictionary, tree } from './dictionary.ts'
import type { Field } from './fields.ts'
import type { FieldNode, Row, TypeNode } from './notation.ts'
import { address, addressExt, addressInt, bitString, bool, bounded, coins, grams, number, rest, snake, varUint } from './primitives.ts'
import type { Shape } from './shape.ts'

const PRIMITIVES: ReadonlyMap<string, Shape> = new Map([
  ['bool', bool],
  ['nat1', number(false, 1)],
  ['grams', grams],
  ['coins', coins],
  ['vu16', varUint(4)],
  ['vu32', varUint(5)],
  ['address', address],
  ['address_int', addressInt],
  ['address_ext', addressExt],
  ['cell', rest],
  ['any', rest],
  ['snake', snake],
])

const isCell = (node: TypeNode): boolean => node.node === 'named' && node.name === 'cell'
const isWhole = (node: TypeNode): boolean => node.node === 'named' && (node.name === 'cell' || node.name === 'any')

export class Compiler {
  /** Lines of kind `type` by the name of the type. */
  private readonly types = new Map<string, Row[]>()
  private readonly shapes: Map<string, Shape>

  /** `builtins` returns the types that the notation cannot express. */
  constructor(rows: readonly Row[], builtins: (compiler: Compiler) => ReadonlyMap<string, Shape>) {
    for (const row of rows) {
      if (typeof row.kind === 'string') continue
      const constructors = this.types.get(row.kind.type)
      if (constructors === undefined) this.types.set(row.kind.type, [row])
      else constructors.push(row)
    }
    this.shapes = new Map([...PRIMITIVES, ...builtins(this)])
  }

  /**
   * Returns a type by its name, and compiles it at its first use. Meanwhile a proxy stands in for the type, because a type can contain itself. Throws Error
   * for an undefined name.
   */
  named(name: string): Shape {
    const existing = this.shapes.get(name)
    if (existing !== undefined) return existing
    const rows = this.types.get(name)
    if (rows === undefined) throw new Error(`catalogue: no type ${name}`)
    let made: Shape | undefined
    const shape: Shape = {
      load: (s, run) => made!.load(s, run),
      open: (s, run) => (made!.open ?? made!.load)(s, run),
      print: (s, run) => made!.print(s, run),
    }
    this.shapes.set(name, shape)
    made = sum(
      name,
      rows.map((row): Tagged => ({ tag: row.tag, tagBits: row.tagBits, record: this.record(row.name, row.fields) })),
    )
    this.shapes.set(name, made)
    return made
  }

  record(name: string, fields: readonly FieldNode[]): RecordShape {
    const deciding = new Set(fields.flatMap(({ type }) => (type.node === 'if' ? [type.field] : [])))
    return new RecordShape(
      name,
      fields.map(({ name: field, type }): Field => {
        const inner = field === '' ? this.namesIn(type) : []
        if (type.node !== 'if') return { name: field, shape: this.field(type), decides: deciding.has(field), inner }
        const { field: on, bit, of } = type
        const mask = bit === null ? -1n : 1n << BigInt(bit)
        return { name: field, shape: this.field(of), when: (values) => (BigInt(values[on] as number | bigint) & mask) !== 0n, inner }
      }),
    )
  }

  /** Returns the field names of a record that is itself a field without a name. */
  private namesIn(node: TypeNode): readonly string[] {
    if ('of' in node) return this.namesIn(node.of)
    const rows = node.node === 'named' ? this.types.get(node.name) : undefined
    const fields = node.node === 'record' ? node.fields : rows?.length === 1 ? rows[0]!.fields : []
    return fields.flatMap(({ name, type }) => (name === '' ? this.namesIn(type) : [name]))
  }

  /** Returns the shape of a field. If the field is a reference, answers show only the content of its cell. One bit is shown as true or false. */
  private field(node: TypeNode): Shape {
    if (this.isBit(node)) return { load: this.shape(node).load, print: bool.print }
    if (node.node !== 'ref') return this.shape(node)
    return isWhole(node.of) ? anyReference(false) : reference(this.shape(node.of))
  }

  /** Returns whether a type is u1, or has two constructors that consist of a tag of one bit. */
  private isBit(node: TypeNode): boolean {
    if (node.node === 'number') return node.bits === 1 && !node.signed
    const rows = node.node === 'named' ? this.types.get(node.name) : undefined
    return rows?.length === 2 && rows.every(({ tagBits, fields }) => tagBits === 1 && fields.length === 0)
  }

  shape(node: TypeNode): Shape {
    switch (node.node) {
      case 'named':
        return this.named(node.name)
      case 'number':
        return node.least === undefined && node.most === undefined
          ? number(node.signed, node.bits)
          : bounded(node.bits, node.least ?? 0n, node.most ?? 1n << BigInt(node.bits))
      case 'bits':
        return bitString(node.bits)
      case 'maybe':
        return maybe(this.shape(node.of))
      case 'inverted':
        return invertedMaybe(this.shape(node.of))
      case 'argument':
        return this.shape(node.of)
      case 'ref':
        return isWhole(node.of) ? anyReference(!isCell(node.of)) : argumentReference(this.shape(node.of))
      case 'either':
        return either(this.shape(node.first), this.shape(node.second), isWhole(node.first))
      case 'dict':
        return (node.empty ? dictionary : tree)(node.bits, this.shape(node.of))
      case 'record':
        return this.record('', node.fields)
      case 'if':
        throw new Error(`catalogue: "if ${node.field}" is no field of a record`)
    }
  }
}
