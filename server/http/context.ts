import type Koa from 'koa'
import type { State } from './exchange.ts'

/** A Koa context whose request is known since its arrival. */
export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>
