import { crc32 } from 'node:zlib'

/* TL schema lines (`name[#id] field:type ... = Type`) as in ton-blockchain/ton, parsed for codecs. */

export interface Field {
  /** Name in the chain port, in camel case. */
  readonly name: string
  readonly type: string
  /** The field is present only if bit `bit` of the field `field` is set. */
  readonly flag: { readonly field: string; readonly bit: number } | undefined
}

export interface Combinator {
  readonly name: string
  readonly id: number
  readonly fields: readonly Field[]
  readonly result: string
}

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Constructor number of a line without an explicit number: crc32 of the line without parentheses and semicolon. */
const idOf = (line: string): number => crc32(line.replace(/[();]/g, '').replace(/\s+/g, ' ').trim())

/** Parses one line of a TL schema. `names` maps a field's name in the schema to its name in liteserver.ts; other names become camel case. */
export const readLine = (line: string, names: Readonly<Record<string, string>> = {}): Combinator => {
  const match = /^([\w.]+)(?:#([0-9a-f]{1,8}))?((?:\s+\w+:(?:\([^)]*\)|\S+))*)\s+=\s+([\w.]+)$/.exec(line.trim())
  if (match === null) throw new Error(`not a line of a TL schema: ${line}`)
  const [, name, id, fields, result] = match as unknown as [string, string, string | undefined, string, string]
  return {
    name,
    id: id === undefined ? idOf(line) : Number.parseInt(id, 16),
    result,
    fields: [...fields.matchAll(/(\w+):(?:(\w+)\.(\d+)\?)?(\([^)]*\)|\S+)/g)].map(([, field, flag, bit, type]) => ({
      name: names[field!] ?? camel(field!),
      type: type!.replace(/[()]/g, ''),
      flag: flag === undefined ? undefined : { field: flag, bit: Number(bit) },
    })),
  }
}
