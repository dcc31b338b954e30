/* Compares two OpenAPI documents: what the upstream one promises must be found in ours. */

export type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const at = (node: unknown, ...path: readonly string[]): Node => {
  const next = path.reduce<unknown>((inner, key) => (isNode(inner) ? inner[key] : undefined), node)
  return isNode(next) ? next : {}
}

/** Follows a reference inside its document. */
export const deref = (document: Node, schema: unknown): Node => {
  if (!isNode(schema)) return {}
  const ref = schema['$ref']
  return typeof ref === 'string' ? deref(document, at(document, ...ref.slice(2).split('/'))) : schema
}

/** The alternatives of a schema; `allOf` merged into one. */
const variants = (document: Node, schema: unknown): Node[] => {
  const own = deref(document, schema)
  const choice = list(own['oneOf'] ?? own['anyOf'])
  if (choice.length > 0) return choice.flatMap((one) => variants(document, one))
  const all = list(own['allOf']).map((one) => deref(document, one))
  if (all.length === 0) return [own]
  const properties = Object.fromEntries(all.flatMap((one) => Object.entries(at(one, 'properties'))))
  return [{ type: 'object', properties, required: all.flatMap((one) => list(one['required'])) }]
}

/** Several alternatives that together stand for one of theirs: any value of a member will do, what all require is required. */
const united = (parts: readonly Node[]): Node => {
  if (parts.length === 1 || parts[0]?.['type'] !== 'object') return parts[0]!
  const names = new Set(parts.flatMap((part) => Object.keys(at(part, 'properties'))))
  const member = (name: string) => ({ anyOf: parts.flatMap((part) => at(part, 'properties')[name] ?? []) })
  return {
    type: 'object',
    properties: Object.fromEntries([...names].map((name) => [name, member(name)])),
    required: [...names].filter((name) => parts.every((part) => list(part['required']).includes(name))),
  }
}

/** Those of `rights` that can stand for an alternative without a tag: of its type, with most of its members. */
const candidates = (left: Node, rights: readonly Node[]): Node | undefined => {
  const fitting = rights.filter((right) => typesOf(left).every((type) => typesOf(right).length === 0 || typesOf(right).includes(type)))
  const common = (right: Node) => Object.keys(at(left, 'properties')).filter((name) => name in at(right, 'properties')).length
  const most = Math.max(...fitting.map(common))
  const best = fitting.filter((right) => common(right) === most)
  if (best.length === 0) return undefined
  const chosen = united(best)
  // An open object of theirs can be several of ours, each with some of its members.
  return chosen['type'] === 'object' && left['additionalProperties'] !== false
    ? { ...chosen, properties: { ...at(united(fitting), 'properties'), ...at(chosen, 'properties') } }
    : chosen
}

const constantOf = (document: Node, schema: unknown): unknown => {
  const own = deref(document, schema)
  return own['const'] ?? (list(own['enum']).length === 1 ? list(own['enum'])[0] : undefined)
}

/** `@type`, or `contract_type`-like tags, that tell alternatives apart. */
const tagOf = (document: Node, schema: Node): unknown => constantOf(document, at(schema, 'properties', '@type'))

const typesOf = (schema: Node): readonly unknown[] => {
  if (schema['const'] !== undefined) return [typeof schema['const']]
  if (Array.isArray(schema['type'])) return schema['type']
  if (schema['type'] !== undefined) return [schema['type']]
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => typeof value) : []
}

export interface Comparison {
  readonly theirs: Node
  readonly ours: Node
}

/** What a result of theirs has and ours has not, or the reverse where theirs is closed; one line each, by path. */
export const compareResults = (documents: Comparison, theirs: unknown, ours: unknown, path: string): string[] => {
  const found = new Set<string>()
  const seen = new Set<string>()
  const visit = (left: unknown, right: unknown, where: string): void => {
    const key = JSON.stringify([left, right])
    if (seen.has(key)) return
    seen.add(key)
    const rights = variants(documents.ours, right)
    for (const one of variants(documents.theirs, left)) {
      const tag = tagOf(documents.theirs, one)
      const match = tag === undefined ? candidates(one, rights) : rights.find((r) => tagOf(documents.ours, r) === tag)
      if (match === undefined) found.add(`${where}: no ${String(tag ?? JSON.stringify(one['type'] ?? one['enum']))}`)
      else visitOne(one, match, tag === undefined ? where : `${where}<${String(tag)}>`)
    }
  }
  const visitOne = (left: Node, right: Node, where: string): void => {
    if (left['type'] === 'array' && right['prefixItems'] === undefined) visit(left['items'], right['items'], `${where}[]`)
    if (left['type'] !== 'object') return
    const properties = at(left, 'properties')
    for (const [name, value] of Object.entries(properties)) {
      const own = at(right, 'properties')[name]
      if (own === undefined) found.add(`${where}.${name}: missing`)
      else {
        if (list(left['required']).includes(name) && !list(right['required']).includes(name)) found.add(`${where}.${name}: not required`)
        visit(value, own, `${where}.${name}`)
      }
    }
    // Values of a map. A record of ours can have names for its keys besides.
    if (isNode(left['additionalProperties'])) {
      if (!isNode(right['additionalProperties'])) found.add(`${where}{}: no values`)
      else visit(left['additionalProperties'], right['additionalProperties'], `${where}{}`)
    }
    if (left['additionalProperties'] === false && Object.keys(properties).length > 0)
      for (const name of Object.keys(at(right, 'properties')))
        if (!(name in properties)) found.add(`${where}.${name}: theirs is closed without it`)
  }
  visit(theirs, ours, path)
  return [...found]
}

/** Parameters and body members of theirs that ours lacks, or asks for differently. */
export const compareParameters = ({ theirs, ours }: Comparison, left: Node, right: Node, path: string): string[] => {
  const found: string[] = []
  const theirParams = list(left['parameters']).map((one) => deref(theirs, one))
  const ourParams = new Map(list(right['parameters']).map((one) => [deref(ours, one)['name'], deref(ours, one)]))
  for (const param of theirParams) {
    const own = ourParams.get(param['name'])
    if (own === undefined) found.push(`${path}?${String(param['name'])}: missing`)
    else if (Boolean(param['required']) !== Boolean(own['required'])) found.push(`${path}?${String(param['name'])}: required differs`)
  }
  const theirBody = deref(theirs, at(left, 'requestBody', 'content', 'application/json')['schema'])
  const ourBody = deref(ours, at(right, 'requestBody', 'content', 'application/json')['schema'])
  for (const name of Object.keys(at(theirBody, 'properties'))) {
    if (!(name in at(ourBody, 'properties'))) found.push(`${path} body ${name}: missing`)
    else if (list(theirBody['required']).includes(name) !== list(ourBody['required']).includes(name))
      found.push(`${path} body ${name}: required differs`)
  }
  return found
}
