import { resolve } from '../../../shared/registry.ts'

/* Where methods are over REST, by their definitions. */

const paramsOf = (path: string): readonly string[] => path.match(/(?<=:)\w+/g) ?? []

/** Paths of a method or an alias, the longest last. `:name` is a parameter. */
const pathsOf = (method: string): readonly string[] => {
  const { def, paths } = resolve(method)!
  return [...paths].flatMap(([path, called]) => (def.paths !== undefined || called === method ? [path] : []))
}

/** Path of a method as the OpenAPI document names it; '' if it has none. */
export const documentPath = (method: string): string =>
  pathsOf(method)
    .at(-1)
    ?.replace(/:(\w+)/g, '{$1}') ?? ''

/** Path of a call, and its parameters that do not stand in it. */
export const restPath = (method: string, params: object): { readonly path: string; readonly others: Readonly<Record<string, unknown>> } => {
  const others: Record<string, unknown> = { ...params }
  const paths = pathsOf(method)
  const fitting = paths.findLast((path) => paramsOf(path).every((name) => name in params)) ?? paths[0]!
  const path = fitting.replace(/:(\w+)/g, (_, name: string) => {
    const value = others[name]
    delete others[name]
    return encodeURIComponent(String(value))
  })
  return { path, others }
}
