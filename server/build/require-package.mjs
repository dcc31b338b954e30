// Loads packages of CommonJS in modules (service.mjs).
import { createRequire } from 'node:module'

export const requirePackage = createRequire(import.meta.url)
