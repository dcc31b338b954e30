import { createRequire } from 'node:module'
import type { Executor } from '@ton/sandbox/dist/executor/Executor.js'

/** The sandbox's own executor. Our adapter is compared with it. */
export const createExecutor = async (): Promise<Executor> => {
  const require = createRequire(import.meta.url)
  const { Executor } = require('@ton/sandbox/dist/executor/Executor.js') as typeof import('@ton/sandbox/dist/executor/Executor.js')
  return Executor.create()
}

/** The sandbox's default configuration (TVM version 12), base64 of a BoC. */
export const sandboxConfig = (): string => {
  const require = createRequire(import.meta.url)
  return (require('@ton/sandbox/dist/config/defaultConfig.js') as { defaultConfig: string }).defaultConfig
}
