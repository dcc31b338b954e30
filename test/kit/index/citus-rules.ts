import { loadModule, parseSync } from 'libpg-query'
import { columnNames, type Table } from '../../../server/store/schema/table.ts'
import { TABLES } from '../../../server/store/schema/tables.ts'
import { fieldsOf, findAll, get, kindOf, listOf, type Node, nodeOf, subLinksOf, textOf } from './syntax-tree.ts'

/*
 * Whether Citus can run a statement, read off its syntax tree. The rules, as measured on Citus 13.2:
 * - Distributed tables that are joined, or related by a correlated subquery, are of one group, and equal in their distribution columns.
 * - A subquery that names nothing outside itself is not a join, because Citus runs it first. The same holds for one with a limit, a grouping or a union, and
 *   for a CTE.
 * - Such a subquery in FROM has a column, because Citus reads its rows back from a file of records.
 * - An outer join does not begin with the rows of such a subquery: Citus would read the whole table at its other side.
 * - Tables of the coordinator are not joined with distributed ones. Nothing is recursive over distributed tables. No rows of theirs are locked.
 * - The distribution column of a row is never changed, and no distributed table is changed in a WITH or by a MERGE.
 * - What ON CONFLICT sets follows from the rows alone.
 */

const BY_NAME = new Map<string, Table>(TABLES.map((table) => [table.name, table]))

/** One place of a table, or of a union that stands for one, in a statement. */
interface Source {
  readonly id: number
  readonly table: string
  /** Undefined: not distributed. */
  readonly group: string | undefined
  readonly distribution: string | undefined
  readonly columns: readonly string[] | undefined
}

/** A column of a query, and the source column that it is, if it is one. */
interface Output {
  readonly name: string
  readonly column: string | undefined
}

/** Columns of a FROM item that are columns of sources. */
interface Item {
  readonly alias: string
  readonly column: (name: string) => string | undefined
  readonly hasColumn: (name: string) => boolean
  /** What a star means. */
  readonly all: () => readonly Output[]
  readonly isDistributed: boolean
}

/** Tables that one part of a statement joins. */
interface Island {
  readonly sources: Source[]
  readonly equal: (readonly [string, string])[]
}

interface Scope {
  readonly items: Item[]
  readonly parent: Scope | undefined
  readonly ctes: ReadonlySet<string>
}

/* Of the text that is being read: the id of its last source, and the faults found so far. */
let lastId = 0
const faults: string[] = []

/** The source column that a column reference means, as `id.column`. */
const resolve = (ref: Node, scope: Scope | undefined): string | undefined => {
  const names = fieldsOf(ref)
  const [qualifier, name] = names.length > 1 ? [names.at(-2), names.at(-1)!] : [undefined, names[0] ?? '']
  for (let at = scope; at !== undefined; at = at.parent) {
    const item = at.items.find(({ alias, hasColumn }) => (qualifier === undefined ? hasColumn(name) : alias === qualifier))
    if (item !== undefined) return item.column(name)
  }
  return undefined
}

const settle = ({ sources, equal }: Island): void => {
  const distributed = sources.filter(({ group }) => group !== undefined)
  const [first, ...others] = distributed
  if (first === undefined) return
  const names = sources.map(({ table }) => table).join(', ')
  if (distributed.length < sources.length) faults.push(`joins distributed tables with others: ${names}`)
  if (others.length === 0) return
  if (others.some(({ group }) => group !== first.group)) return void faults.push(`joins tables of several groups: ${names}`)
  const reached = new Set([`${first.id}.${first.distribution}`])
  for (let size = 0; size < reached.size; ) {
    size = reached.size
    for (const [a, b] of equal) {
      if (reached.has(a)) reached.add(b)
      if (reached.has(b)) reached.add(a)
    }
  }
  if (others.some(({ id, distribution }) => !reached.has(`${id}.${distribution}`)))
    faults.push(`joins not by the distribution column: ${names}`)
}

const alone = (work: (island: Island) => void): void => {
  const island: Island = { sources: [], equal: [] }
  work(island)
  settle(island)
}

const AGGREGATES = new Set(['count', 'min', 'max', 'sum', 'array_agg', 'string_agg', 'bool_or', 'bool_and'])
const isAggregate = (call: Node): boolean => {
  const name = textOf(get(listOf(call['funcname']).at(-1), 'String', 'sval'))
  return AGGREGATES.has(name) || call['over'] !== undefined
}
const isSet = (select: Node): boolean => textOf(select['op']) !== '' && select['op'] !== 'SETOP_NONE'
/** Whether Citus runs a subquery first, and joins its rows. */
const isRunFirst = (select: Node): boolean =>
  isSet(select) ||
  ['limitCount', 'limitOffset', 'distinctClause', 'groupClause'].some((name) => select[name] !== undefined) ||
  findAll(select['targetList'], 'FuncCall').some(isAggregate)

/** Whether a subquery names columns of the statement around it. */
const isCorrelated = (select: Node): boolean => {
  const own = new Set<string>()
  for (const { alias, relname } of findAll(select, 'RangeVar')) own.add(textOf(get(alias, 'aliasname')) || textOf(relname))
  for (const kind of ['RangeSubselect', 'RangeFunction', 'CommonTableExpr'])
    for (const each of findAll(select, kind)) own.add(textOf(get(each, 'alias', 'aliasname')) || textOf(each['ctename']))
  return findAll(select, 'ColumnRef').some((ref) => {
    const names = fieldsOf(ref)
    return names.length > 1 && !own.has(names.at(-2)!)
  })
}

const conjuncts = (condition: unknown): readonly unknown[] => {
  const { kind, of } = kindOf(condition)
  return kind === 'BoolExpr' && of['boolop'] === 'AND_EXPR'
    ? listOf(of['args']).flatMap(conjuncts)
    : condition === undefined
      ? []
      : [condition]
}

/** Columns of an expression: itself, or the parts of a row. */
const columnsOf = (expression: unknown, scope: Scope): readonly (string | undefined)[] => {
  const { kind, of } = kindOf(expression)
  if (kind === 'RowExpr') return listOf(of['args']).flatMap((each) => columnsOf(each, scope))
  return [kind === 'ColumnRef' ? resolve(of, scope) : undefined]
}

const equate = (island: Island, left: readonly (string | undefined)[], right: readonly (string | undefined)[]): void => {
  for (const [i, a] of left.entries()) {
    const b = right[i]
    if (a !== undefined && b !== undefined) island.equal.push([a, b])
  }
}

/** Reads a subquery of a condition. One that names outer columns, or whose rows are found by the distribution column, is part of the island. */
const subLink = (of: Node, scope: Scope, island: Island): void => {
  const select = nodeOf(get(of, 'subselect', 'SelectStmt'))
  if (isCorrelated(select)) {
    const outputs = query(select, scope, island)
    if (of['subLinkType'] === 'ANY_SUBLINK')
      equate(
        island,
        columnsOf(of['testexpr'], scope),
        outputs.map(({ column }) => column),
      )
    return
  }
  alone((own) => query(select, { ...scope, items: [], parent: undefined }, own))
}

/** Reads conditions that hold together. */
const where = (condition: unknown, scope: Scope, island: Island): void => {
  for (const each of conjuncts(condition)) {
    const { kind, of } = kindOf(each)
    const isEqual = kind === 'A_Expr' && of['kind'] === 'AEXPR_OP' && textOf(get(listOf(of['name'])[0], 'String', 'sval')) === '='
    if (isEqual) equate(island, columnsOf(of['lexpr'], scope), columnsOf(of['rexpr'], scope))
    for (const link of subLinksOf(each)) subLink(link, scope, island)
  }
}

/** Whether a table has no schema, or ours. Temporary tables, and those of ranges and of `verify`, are plain tables of the coordinator. */
const isOurs = ({ schemaname }: Node): boolean => textOf(schemaname) === '' || schemaname === 'public'

const addTable = (of: Node, ctes: ReadonlySet<string>, island: Island): Item => {
  const name = textOf(of['relname'])
  const alias = textOf(get(of, 'alias', 'aliasname')) || name
  if (ctes.has(name)) return { alias, column: () => undefined, hasColumn: () => false, all: () => [], isDistributed: false }
  const table = isOurs(of) ? BY_NAME.get(name) : undefined
  const source: Source = {
    id: ++lastId,
    table: name,
    group: table?.group,
    distribution: table?.key[0],
    columns: table && columnNames(table),
  }
  island.sources.push(source)
  return {
    alias,
    column: (column) => `${source.id}.${column}`,
    hasColumn: (column) => source.columns?.includes(column) ?? false,
    all: () => (source.columns ?? []).map((column) => ({ name: column, column: `${source.id}.${column}` })),
    isDistributed: source.group !== undefined,
  }
}

/** A union in FROM that stands for one table: every part gives its distribution column at the same place. */
const unionOf = (select: Node, scope: Scope): { readonly column: string; readonly group: string } | undefined => {
  const parts: Node[] = []
  const collect = (each: Node): void => {
    if (!isSet(each)) return void parts.push(each)
    collect(nodeOf(each['larg']))
    collect(nodeOf(each['rarg']))
  }
  collect(select)
  const found = parts.map((part) => {
    const own: Island = { sources: [], equal: [] }
    const outputs = isRunFirst(part) ? [] : query(part, { ...scope, items: [] }, own)
    const [source] = own.sources
    const at = outputs.findIndex(({ column }) => column === `${source?.id}.${source?.distribution}`)
    return { at, group: own.sources.length === 1 ? source?.group : undefined, name: outputs[at]?.name }
  })
  const [first] = found
  if (first?.group === undefined || first.name === undefined) return undefined
  return found.every(({ at, group }) => at === first.at && group === first.group) ? { column: first.name, group: first.group } : undefined
}

const addSubquery = (of: Node, scope: Scope, island: Island): Item => {
  const select = nodeOf(get(of, 'subquery', 'SelectStmt'))
  const alias = textOf(get(of, 'alias', 'aliasname'))
  const none: Item = { alias, column: () => undefined, hasColumn: () => false, all: () => [], isDistributed: false }
  const isOpen = of['lateral'] === true && isCorrelated(select)
  if (isSet(select) && !isOpen) {
    const union = unionOf(select, scope)
    if (union !== undefined) {
      const source: Source = { id: ++lastId, table: 'a union', group: union.group, distribution: union.column, columns: undefined }
      island.sources.push(source)
      return {
        alias,
        column: (name) => `${source.id}.${name}`,
        hasColumn: (name) => name === union.column,
        all: () => [],
        isDistributed: true,
      }
    }
  }
  if (isRunFirst(select) && !isOpen) {
    if (!isSet(select) && listOf(select['targetList']).length === 0) faults.push('selects no columns in a subquery that runs first')
    alone((own) => query(select, { ...scope, items: [] }, own))
    return none
  }
  const before = island.sources.length
  const outputs = query(select, scope, island)
  const column = (name: string): string | undefined => outputs.find((output) => output.name === name)?.column
  const isDistributed = island.sources.slice(before).some(({ group }) => group !== undefined)
  return { alias, column, hasColumn: (name) => column(name) !== undefined, all: () => outputs, isDistributed }
}

/** Adds a FROM item to the scope. Returns whether it has a distributed table. */
const addFrom = (item: unknown, scope: Scope, island: Island): boolean => {
  const { kind, of } = kindOf(item)
  if (kind === 'JoinExpr') {
    const [left, right] = [addFrom(of['larg'], scope, island), addFrom(of['rarg'], scope, island)]
    if (of['jointype'] === 'JOIN_LEFT' && right && !left) faults.push('an outer join begins with rows of no distributed table')
    where(of['quals'], scope, island)
    return left || right
  }
  if (kind === 'RangeVar') scope.items.push(addTable(of, scope.ctes, island))
  else if (kind === 'RangeSubselect') scope.items.push(addSubquery(of, scope, island))
  else return false
  return scope.items.at(-1)!.isDistributed
}

/** The distributed table that an INSERT, UPDATE, DELETE or MERGE changes, if it changes one. */
const distributedTarget = (of: Node): Table | undefined => {
  const relation = nodeOf(of['relation'])
  const table = isOurs(relation) ? BY_NAME.get(textOf(relation['relname'])) : undefined
  return table?.group === undefined ? undefined : table
}

/** Functions that give another value at each call or in each transaction. */
const NOT_IMMUTABLE = new Set([
  'now',
  'random',
  'clock_timestamp',
  'statement_timestamp',
  'transaction_timestamp',
  'nextval',
  'gen_random_uuid',
])
const callsNotImmutable = (value: unknown): boolean =>
  findAll(value, 'SQLValueFunction').length > 0 ||
  findAll(value, 'FuncCall').some((call) => NOT_IMMUTABLE.has(textOf(get(listOf(call['funcname']).at(-1), 'String', 'sval'))))

const withCtes = (of: Node, scope: Scope | undefined): ReadonlySet<string> => {
  const names = new Set(scope?.ctes)
  const clause = nodeOf(of['withClause'])
  for (const each of listOf(clause['ctes'])) {
    const cte = nodeOf(get(each, 'CommonTableExpr'))
    const name = textOf(cte['ctename'])
    if (clause['recursive'] === true) names.add(name)
    const own: Scope = { items: [], parent: undefined, ctes: new Set(names) }
    const { kind, of: inner } = kindOf(cte['ctequery'])
    const before = faults.length
    const hasDistributed = findAll(inner, 'RangeVar').some((of) => isOurs(of) && BY_NAME.get(textOf(of['relname']))?.group !== undefined)
    if (clause['recursive'] === true && hasDistributed) faults.splice(before, 0, `${name} is recursive over a distributed table`)
    else if (kind === 'SelectStmt') alone((island) => query(inner, own, island))
    else {
      change(kind, inner, own)
      if (distributedTarget(inner) !== undefined) faults.push('changes a distributed table in a WITH')
    }
    names.add(name)
  }
  return names
}

/** Reads a SELECT into an island. Returns its columns. */
const query = (select: Node, outer: Scope, island: Island): readonly Output[] => {
  const scope: Scope = { items: [], parent: outer, ctes: withCtes(select, outer) }
  if (isSet(select)) {
    for (const side of ['larg', 'rarg']) alone((own) => query(nodeOf(select[side]), scope, own))
    return []
  }
  const before = island.sources.length
  for (const item of listOf(select['fromClause'])) addFrom(item, scope, island)
  where(select['whereClause'], scope, island)
  for (const link of subLinksOf([select['targetList'], select['sortClause'], select['havingClause']])) subLink(link, scope, island)
  const locked = select['lockingClause'] !== undefined && island.sources.slice(before).some(({ group }) => group !== undefined)
  if (locked) faults.push('locks rows of a distributed table')
  return listOf(select['targetList']).flatMap((target): readonly Output[] => {
    const value = get(target, 'ResTarget', 'val')
    const fields = listOf(get(value, 'ColumnRef', 'fields'))
    if (fields.some((field) => 'A_Star' in nodeOf(field))) {
      const of = fields.length > 1 ? textOf(get(fields[0], 'String', 'sval')) : undefined
      return scope.items.filter(({ alias }) => of === undefined || alias === of).flatMap(({ all }) => all())
    }
    const [column] = columnsOf(value, scope)
    const name = textOf(get(target, 'ResTarget', 'name')) || (fieldsOf(nodeOf(get(value, 'ColumnRef'))).at(-1) ?? '')
    return [{ name, column }]
  })
}

/** Reads an INSERT, UPDATE or DELETE. */
const change = (kind: string, of: Node, outer: Scope | undefined): void => {
  const scope: Scope = { items: [], parent: outer, ctes: withCtes(of, outer) }
  if (kind === 'InsertStmt') {
    const select = get(of, 'selectStmt', 'SelectStmt')
    if (select !== undefined) alone((island) => query(nodeOf(select), scope, island))
    if (distributedTarget(of) !== undefined && callsNotImmutable(of['onConflictClause']))
      faults.push('merges a distributed table with a function that is not immutable')
    return
  }
  alone((island) => {
    const table = nodeOf(of['relation'])
    scope.items.push(addTable(table, scope.ctes, island))
    for (const item of listOf(of[kind === 'UpdateStmt' ? 'fromClause' : 'usingClause'])) addFrom(item, scope, island)
    where(of['whereClause'], scope, island)
    const declared = distributedTarget(of)
    const changed = kind === 'UpdateStmt' ? listOf(of['targetList']).map((target) => textOf(get(target, 'ResTarget', 'name'))) : []
    if (declared !== undefined && changed.includes(declared.key[0]!)) faults.push('changes a distribution column')
  })
}

/** Call it once before citusFaults. */
export const loadParser = (): Promise<void> => loadModule()

/** Why Citus would refuse a text of one or several statements, or read a whole table for it; empty if it would not. Throws if the text is not SQL. */
export const citusFaults = (sql: string): readonly string[] => {
  faults.length = 0
  for (const { stmt } of listOf(nodeOf(parseSync(sql))['stmts']).map(nodeOf)) {
    const { kind, of } = kindOf(stmt)
    const select =
      kind === 'CopyStmt' || kind === 'DeclareCursorStmt' ? get(of, 'query', 'SelectStmt') : kind === 'SelectStmt' ? of : undefined
    const none: Scope = { items: [], parent: undefined, ctes: new Set() }
    if (select !== undefined) alone((island) => query(nodeOf(select), none, island))
    else if (kind === 'InsertStmt' || kind === 'UpdateStmt' || kind === 'DeleteStmt') change(kind, of, undefined)
    else if (kind === 'MergeStmt' && distributedTarget(of) !== undefined) faults.push('is a MERGE')
  }
  return [...faults]
}
